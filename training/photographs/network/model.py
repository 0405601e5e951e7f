"""The first network: a body, heads on its pooled features, and a small decoder for the outline."""
import torch
from torch import nn
from torch.nn import functional as F

from network.body import FEATURES, FixedConv, Rounding, load_lite, make_body
from sets.classes import ALL_HEADS
from network.start import load_mobile

LATERALS = {32: 64, 16: 64, 8: 64, 4: 48, 2: 32}  # lateral channels by stride
SMOOTH = {16: 64, 8: 48, 4: 32, 2: 24}  # channels after smoothing by stride
# Mean and deviation of the input in [0, 1]: (pixel - 127) / 128 for EfficientNet-Lite, pixel / 255 for MobileNetV2.
INPUT = {'lite': (127 / 255, 128 / 255), 'mobile': (0.0, 1.0)}


def refinement(channels):
    """Returns a 5 x 5 depthwise and a pointwise convolution that at first change nothing."""
    depthwise, pointwise = FixedConv(channels, channels, 5, 1, channels), FixedConv(channels, channels)
    with torch.no_grad():
        depthwise.weight.zero_()
        depthwise.weight[:, :, 2, 2] = 1
        pointwise.weight.copy_(torch.eye(channels)[:, :, None, None])
    return depthwise, pointwise


class GarmentNet(nn.Module):
    """RGB in [0, 1], sides a multiple of 32 -> ({head: logits}, outline logits at stride 2)."""

    def __init__(self, body='lite1', dropout=0.2):
        super().__init__()
        self.body_name = body
        self.mean, self.deviation = INPUT['lite' if body.startswith('lite') else 'mobile']
        self.stem, self.blocks, self.last, self.ends = make_body(body)
        self.dropout = nn.Dropout(dropout)
        self.heads = nn.Linear(FEATURES, sum(map(len, ALL_HEADS.values())))  # all heads concatenated in the order of ALL_HEADS
        self.laterals = nn.ModuleDict({
            str(stride): FixedConv(self.blocks[self.ends[stride]].project.out_channels, inner, activation=False)
            for stride, inner in LATERALS.items()})
        self.smooth = nn.ModuleDict({
            str(stride): nn.Sequential(
                FixedConv(LATERALS[stride], LATERALS[stride], 3, 1, LATERALS[stride]), FixedConv(LATERALS[stride], out), *refinement(out))
            for stride, out in SMOOTH.items()})
        self.sums = nn.ModuleDict({str(stride): Rounding() for stride in SMOOTH})
        self.outline = nn.Conv2d(24, 1, 1)

    def features(self, x):
        """Returns ({stride: features}, features of the last block)."""
        x = self.stem((x - self.mean) / self.deviation)
        levels, wanted = {}, {index: stride for stride, index in self.ends.items()}
        for index, block in enumerate(self.blocks):
            x = block(x)
            if index in wanted:
                levels[wanted[index]] = x
        return levels, x

    def smoothed(self, levels):
        """Returns the decoder's features by stride, from which the outline is drawn."""
        y, found = self.laterals['32'](levels[32]), {}
        for stride in SMOOTH:
            y = self.sums[str(stride)](F.interpolate(y, scale_factor=2, mode='nearest') + self.laterals[str(stride)](levels[stride]))
            y = found[stride] = self.smooth[str(stride)](y)
        return found

    def forward(self, x):
        levels, x = self.features(x)
        pooled = self.last(x).float().mean(dim=(2, 3))
        with torch.autocast('cpu', enabled=False):
            logits = self.heads(self.dropout(pooled)).split([len(classes) for classes in ALL_HEADS.values()], dim=1)
        return dict(zip(ALL_HEADS, logits)), self.outline(self.smoothed(levels)[2])

    def load_start(self, folder):
        """Copies the start weights into the body."""
        (load_lite if self.body_name.startswith('lite') else load_mobile)(self, folder)


def load_network(path):
    """Loads a checkpoint of train.py or train_outline.py for inference."""
    stored = torch.load(path, map_location='cpu')
    model = GarmentNet(stored['body'])
    model.load_state_dict({name: value for name, value in stored['model'].items() if not name.startswith('others.')})
    return model.eval()
