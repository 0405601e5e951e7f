"""The third network, which looks at the neckline from near."""
from network.small import SmallNet

SIZE = 128  # input size in pixels
# Loss weights. The other heads help it to learn. Only the neckline is used.
HEAD_WEIGHTS = {'neckline': 1.0, 'type': 0.6, 'closure': 0.4, 'sleeve': 0.2}


def make_neck():
    """Builds the network: the first five stages of EfficientNet-Lite0, up to stride 16."""
    model = SmallNet(HEAD_WEIGHTS, blocks=11, features=384)
    for index, block in enumerate(model.blocks):
        block.drop = 0.1 * index / len(model.blocks)
    return model


def load_neck(path):
    """Loads a neck.pt for inference."""
    return make_neck().load(path)
