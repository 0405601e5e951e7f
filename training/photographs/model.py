"""MobileNetV2 with tag heads on its pooled feature and a small decoder that draws the outline."""
import base64
import re
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torchvision.models import mobilenet_v2

from data import ALL_HEADS

FROZEN = 3  # stem and the first two blocks keep the start's weights and batch-norm statistics
LATERALS = {1: (16, 32), 3: (24, 48), 6: (32, 64), 13: (96, 64), 17: (320, 64)}  # feature index: channels in, out
SMOOTH = {13: (64, 64), 6: (64, 48), 3: (48, 32), 1: (32, 24)}  # after adding this lateral: channels in, out


def conv_bn(channels_in, channels_out, kernel=1, groups=1, activation=True):
    layers = [
        nn.Conv2d(channels_in, channels_out, kernel, padding=kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(channels_out, eps=1e-3)]
    return nn.Sequential(*layers, nn.ReLU6()) if activation else nn.Sequential(*layers)


class GarmentNet(nn.Module):
    """RGB in [0, 1], sides a multiple of 32 -> (logits by head, outline logits at stride 2)."""

    def __init__(self, dropout=0.2):
        super().__init__()
        self.body = mobilenet_v2().features
        for module in self.body.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.eps = 1e-3  # as in Keras, where the start weights come from
        self.dropout = nn.Dropout(dropout)
        self.heads = nn.Linear(1280, sum(map(len, ALL_HEADS.values())))  # all heads side by side, in this order
        self.laterals = nn.ModuleDict({str(i): conv_bn(*sizes, activation=False) for i, sizes in LATERALS.items()})
        self.smooth = nn.ModuleDict({
            str(i): nn.Sequential(conv_bn(inner, inner, 3, groups=inner), conv_bn(inner, outer))
            for i, (inner, outer) in SMOOTH.items()})
        self.outline = nn.Conv2d(24, 1, 1)

    def forward(self, x):
        levels = {}
        for index, layer in enumerate(self.body):
            x = layer(x)
            if index in LATERALS:
                levels[index] = x
        pooled = self.dropout(x.mean(dim=(2, 3)))
        logits = self.heads(pooled).split([len(classes) for classes in ALL_HEADS.values()], dim=1)
        tags = dict(zip(ALL_HEADS, logits))
        y = self.laterals['17'](levels[17])
        for index in SMOOTH:
            y = nn.functional.interpolate(y, scale_factor=2, mode='nearest') + self.laterals[str(index)](levels[index])
            y = self.smooth[str(index)](y)
        return tags, self.outline(y)

    def train(self, mode=True):
        super().train(mode)
        for layer in self.body[:FROZEN]:
            layer.eval()
        return self

    def freeze_stem(self):
        for parameter in self.body[:FROZEN].parameters():
            parameter.requires_grad_(False)

    def load_start(self, folder):
        """Copies the start weights into the body."""
        tensors = read_start(folder, 'mobilenet_v2')

        def copy(layer, conv, norm, depthwise=False):
            kernel = tensors[f'{conv}/depthwise_kernel'] if depthwise else tensors[f'{conv}/kernel']
            order = (2, 3, 0, 1) if depthwise else (3, 2, 0, 1)
            with torch.no_grad():
                layer[0].weight.copy_(torch.from_numpy(kernel.transpose(order).copy()))
                for target, name in ((layer[1].weight, 'gamma'), (layer[1].bias, 'beta'),
                                     (layer[1].running_mean, 'moving_mean'), (layer[1].running_var, 'moving_variance')):
                    target.copy_(torch.from_numpy(tensors[f'{norm}/{name}'].copy()))

        body = self.body
        copy(body[0], 'Conv1', 'bn_Conv1')
        copy(body[18], 'Conv_1', 'Conv_1_bn')
        for index in range(17):
            prefix = f'block_{index}' if index else 'expanded_conv'
            parts = body[index + 1].conv
            if index:
                copy(parts[0], f'{prefix}_expand', f'{prefix}_expand_BN')
            copy(parts[-3], f'{prefix}_depthwise', f'{prefix}_depthwise_BN', depthwise=True)
            copy(parts[-2:], f'{prefix}_project', f'{prefix}_project_BN')


class FoldedConv(nn.Conv2d):
    """A convolution with its batch norm folded in on the fly: trains as before, but with fixed statistics."""

    def forward(self, x):
        norm = self.norm[0]
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        weight, bias = self.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale
        return nn.functional.conv2d(x, round_weights(weight), bias, self.stride, self.padding, groups=self.groups)


class Folded(nn.BatchNorm2d):
    def forward(self, x):
        return x


class Clamp(nn.ReLU6):
    """ReLU6 whose gradient also exists in bfloat16."""

    def forward(self, x):
        return x.clamp(0, 6)


def round_weights(weight):
    """Rounds as export.py does, per output channel to 255 levels; the gradient passes unchanged."""
    with torch.no_grad():
        scales = weight.abs().amax(dim=(1, 2, 3), keepdim=True).clamp(min=1e-12) / 127
        error = torch.round(weight / scales) * scales - weight
    return weight + error


def fix_norms(model):
    """Fixes all batch-norm statistics, folds them into the convolutions and lets these see rounded weights."""
    for module in list(model.modules()):
        if isinstance(module, nn.Sequential):
            layers = list(module)
            for first, second in zip(layers, layers[1:]):
                if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                    first.__class__, second.__class__ = FoldedConv, Folded
                    first.norm = [second]  # in a list, so that it is not registered twice
            for layer in layers:
                if isinstance(layer, nn.ReLU6):
                    layer.__class__ = Clamp


def load_network(model, path):
    """Loads a network.pt of train.py; heads that it does not have yet keep their fresh weights."""
    state = torch.load(path)['model']
    for name in ('heads.weight', 'heads.bias'):
        fresh = model.state_dict()[name].clone()
        fresh[:len(state[name])] = state[name]
        state[name] = fresh
    model.load_state_dict(state)


def read_start(folder, name):
    """Tensors by Keras name from nsfwjs's dist/models/NAME (see the data's README); FOLDER is its package."""
    folder = Path(folder) / 'dist/models' / name
    source = (folder / 'model.min.js').read_text()
    entries = re.findall(
        r'name:"([^"]+)",shape:\[([\d,]*)\],dtype:"float32",quantization:\{min:([-\d.e]+),scale:([-\d.e]+),dtype:"uint8"\}',
        source[source.index('weightsManifest:'):])
    payloads = [max(re.findall(r'"([A-Za-z0-9+/=]{1000,})"', path.read_text()), key=len)
                for path in sorted(folder.glob('group1-shard*.min.js'))]
    values = np.frombuffer(b''.join(map(base64.b64decode, payloads)), np.uint8)
    tensors, offset = {}, 0
    for name, shape, low, scale in entries:
        shape = [int(side) for side in shape.split(',') if side]
        size = int(np.prod(shape))
        tensors[name] = (values[offset:offset + size].astype(np.float32) * float(scale) + float(low)).reshape(shape)
        offset += size
    if offset != len(values):
        raise ValueError(f'{len(values) - offset} bytes of the start weights were not assigned to a tensor')
    return tensors
