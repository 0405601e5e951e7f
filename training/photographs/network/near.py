"""A second, smaller network, which looks at the garment from near."""
import torch
from torch import nn

from network.body import FixedConv, load_lite, load_small, make_body
from sets.classes import HEADS

FEATURES = 768
SIZE = 192  # pixels on an edge of what it sees
NEAR_HEADS = [head for head in HEADS if head not in ('presence', 'shown')]


class NearNet(nn.Module):
    """RGB in [0, 1] -> logits by head. An EfficientNet-Lite0 without its last stage, the widest."""

    body_name = 'lite0'
    mean, deviation = 127 / 255, 128 / 255

    def __init__(self, dropout=0.3):
        super().__init__()
        self.stem, blocks, _, _ = make_body(self.body_name)
        self.blocks = blocks[:-1]
        self.last = FixedConv(self.blocks[-1].project.out_channels, FEATURES)
        self.dropout = nn.Dropout(dropout)
        self.heads = nn.Linear(FEATURES, sum(len(HEADS[head]) for head in NEAR_HEADS))

    def forward(self, x):
        x = self.stem((x - self.mean) / self.deviation)
        for block in self.blocks:
            x = block(x)
        pooled = self.last(x).float().mean(dim=(2, 3))
        with torch.autocast('cpu', enabled=False):
            logits = self.heads(self.dropout(pooled)).split([len(HEADS[head]) for head in NEAR_HEADS], dim=1)
        return dict(zip(NEAR_HEADS, logits))

    def load_start(self, folder):
        load_lite(self, folder, with_last=False)


def load_near(path):
    """The network of a near.pt, for use."""
    return load_small(NearNet(), path)
