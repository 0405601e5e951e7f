"""Small classifiers without an outline, for the looks from near."""
import torch
from torch import nn

from network.body import FixedConv, load_lite, make_body
from sets.classes import HEADS

LEVELS = 126  # weight levels. A multiple of 63, so that weights once rounded to 63 levels stay exact


class SmallNet(nn.Module):
    """RGB in [0, 1] -> {head: logits}. Uses the first `blocks` of the 16 blocks of EfficientNet-Lite0."""

    body_name = 'lite0'
    mean, deviation = 127 / 255, 128 / 255

    def __init__(self, names, blocks, features, dropout=0.3):
        super().__init__()
        self.names = list(names)
        self.stem, all_blocks, _, _ = make_body(self.body_name)
        self.blocks = all_blocks[:blocks]
        self.last = FixedConv(self.blocks[-1].project.out_channels, features)
        self.dropout = nn.Dropout(dropout)
        self.heads = nn.Linear(features, sum(len(HEADS[name]) for name in self.names))

    def forward(self, x):
        x = self.stem((x - self.mean) / self.deviation)
        for block in self.blocks:
            x = block(x)
        pooled = self.last(x).float().mean(dim=(2, 3))
        with torch.autocast('cpu', enabled=False):
            logits = self.heads(self.dropout(pooled)).split([len(HEADS[name]) for name in self.names], dim=1)
        return dict(zip(self.names, logits))

    def load_start(self, folder):
        load_lite(self, folder, with_last=False)

    def load(self, path):
        """Loads a checkpoint for inference, with weights rounded as exported. Returns itself."""
        self.load_state_dict(torch.load(path, map_location='cpu')['model'])
        return with_levels(self).eval()


def with_levels(model):
    """Sets the number of weight levels to LEVELS. Returns the model."""
    for part in model.modules():
        if isinstance(part, FixedConv):
            part.levels = LEVELS
    return model
