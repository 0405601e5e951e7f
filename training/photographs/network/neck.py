"""A small network of its own for the look at the neckline from near."""
from network.small import SmallNet

SIZE = 128  # pixels on an edge of what it sees
# Beside the neckline it learns what is near it; neckline and type are exported.
HEAD_WEIGHTS = {'neckline': 1.0, 'type': 0.6, 'closure': 0.4, 'sleeve': 0.2}


def make_neck():
    """The first five stages, to stride 16."""
    model = SmallNet(HEAD_WEIGHTS, blocks=11, features=384)
    for index, block in enumerate(model.blocks):
        block.drop = 0.1 * index / len(model.blocks)
    return model


def load_neck(path):
    """The network of a neck.pt, for use."""
    return make_neck().load(path)
