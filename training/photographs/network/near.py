"""The second network, which looks at the garment from near."""
from network.small import SmallNet
from sets.classes import HEADS

SIZE = 192  # input size in pixels
NEAR_HEADS = [head for head in HEADS if head not in ('presence', 'shown')]


def make_near():
    """Builds the network: EfficientNet-Lite0 without its last and widest stage."""
    return SmallNet(NEAR_HEADS, blocks=15, features=768)


def load_near(path):
    """Loads a near.pt for inference."""
    return make_near().load(path)
