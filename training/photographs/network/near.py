"""A second, smaller network, which looks at the garment from near."""
from network.small import SmallNet
from sets.classes import HEADS

SIZE = 192  # pixels on an edge of what it sees
NEAR_HEADS = [head for head in HEADS if head not in ('presence', 'shown')]


def make_near():
    """All but the last stage, the widest."""
    return SmallNet(NEAR_HEADS, blocks=15, features=768)


def load_near(path):
    """The network of a near.pt, for use."""
    return make_near().load(path)
