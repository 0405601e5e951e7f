"""A small body of its own for the look at the neckline from near."""
import torch
from torch import nn

from network.body import FixedConv, load_lite, load_small, make_body
from sets.classes import HEADS

SIZE = 128  # pixels on an edge of what it sees
FEATURES = 384
# Beside the neckline it learns what is near it; only the neckline is exported.
HEAD_WEIGHTS = {'neckline': 1.0, 'type': 0.6, 'closure': 0.4, 'sleeve': 0.2}


class NeckNet(nn.Module):
    """RGB in [0, 1] -> logits by head. The first five stages of an EfficientNet-Lite0, to stride 16."""

    body_name = 'lite0'
    mean, deviation = 127 / 255, 128 / 255

    def __init__(self, dropout=0.3):
        super().__init__()
        self.stem, blocks, _, ends = make_body(self.body_name)
        self.blocks = blocks[:ends[16] + 1]
        self.last = FixedConv(self.blocks[-1].project.out_channels, FEATURES)
        self.dropout = nn.Dropout(dropout)
        self.heads = nn.Linear(FEATURES, sum(len(HEADS[head]) for head in HEAD_WEIGHTS))
        for index, block in enumerate(self.blocks):
            block.drop = 0.1 * index / len(self.blocks)

    def forward(self, x):
        x = self.stem((x - self.mean) / self.deviation)
        for block in self.blocks:
            x = block(x)
        pooled = self.last(x).float().mean(dim=(2, 3))
        with torch.autocast('cpu', enabled=False):
            logits = self.heads(self.dropout(pooled)).split([len(HEADS[head]) for head in HEAD_WEIGHTS], dim=1)
        return dict(zip(HEAD_WEIGHTS, logits))

    def load_start(self, folder):
        load_lite(self, folder, with_last=False)


def load_neck(path):
    """The network of a neck.pt, for use."""
    return load_small(NeckNet(), path)
