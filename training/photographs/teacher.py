"""The teachers: two networks that are larger than what the Worker can hold. They name garments and draw no outline."""
import re

import numpy as np
import torch
from torch import nn
from torchvision.models import inception_v3, mobilenet_v2

from data import ALL_HEADS
from model import Clamp, read_start


class FixedNormConv(nn.Module):
    """A convolution with fixed batch-norm statistics, the scale folded into its weights on the fly."""

    def __init__(self, conv):
        super().__init__()
        self.conv = conv
        self.register_buffer('scale', torch.ones(conv.out_channels))
        self.shift = nn.Parameter(torch.zeros(conv.out_channels))

    def forward(self, x):
        conv = self.conv
        weight = conv.weight * self.scale[:, None, None, None]
        return nn.functional.conv2d(x, weight, self.shift, conv.stride, conv.padding, groups=conv.groups)


class Teacher(nn.Module):
    """RGB in [0, 1] -> (logits by head, None)."""

    def __init__(self, features):
        super().__init__()
        self.heads = nn.Linear(features, sum(map(len, ALL_HEADS.values())))

    def forward(self, x):
        logits = self.heads(self.features(x)).split([len(classes) for classes in ALL_HEADS.values()], dim=1)
        return dict(zip(ALL_HEADS, logits)), None


class InceptionTeacher(Teacher):
    frozen = re.compile(r'Conv2d_|Mixed_5[bc]')  # these blocks keep the start's weights
    feature_scale = 8  # the start's features are small: 0.02 on average

    def __init__(self, dropout=0.3):
        super().__init__(2048)
        self.body = inception_v3(weights=None, aux_logits=False, transform_input=False, init_weights=False)
        self.body.fc = nn.Identity()
        self.body.dropout = nn.Dropout(dropout)
        for name, parent in list(self.body.named_modules()):
            for child, block in list(parent.named_children()):
                if type(block).__name__ == 'BasicConv2d':
                    setattr(parent, child, nn.Sequential(FixedNormConv(block.conv), nn.ReLU()))
        for name, parameter in self.body.named_parameters():
            parameter.requires_grad_(not self.frozen.match(name))

    def features(self, x):
        return self.feature_scale * self.body(x)

    def load_start(self, folder):
        """Copies nsfwjs's dist/models/inception_v3; its layers are numbered in the order of torchvision's modules."""
        tensors = read_start(folder, 'inception_v3')
        blocks = [module for module in self.body.modules() if isinstance(module, FixedNormConv)]
        with torch.no_grad():
            for number, block in enumerate(blocks, 1):
                kernel, norm = tensors[f'conv2d_{number}/kernel'], f'batch_normalization_{number}'
                block.conv.weight.copy_(torch.from_numpy(kernel.transpose(3, 2, 0, 1).copy()))
                scale = 1 / np.sqrt(np.maximum(tensors[f'{norm}/moving_variance'], 0) + 1e-3)
                block.scale.copy_(torch.from_numpy(scale))
                block.shift.copy_(torch.from_numpy(tensors[f'{norm}/beta'] - tensors[f'{norm}/moving_mean'] * scale))


class WideTeacher(Teacher):
    """MobileNetV2 of width 1.4."""
    frozen = 3  # stem and the first two blocks keep the start's weights

    def __init__(self, dropout=0.3):
        super().__init__(1792)
        self.body = mobilenet_v2(width_mult=1.4).features
        self.dropout = nn.Dropout(dropout)
        for parent in list(self.body.modules()):
            children = list(parent.named_children())
            for (name, first), (norm, second) in zip(children, children[1:]):
                if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                    setattr(parent, name, FixedNormConv(first))
                    setattr(parent, norm, nn.Identity())
        for module in self.body.modules():
            if isinstance(module, nn.ReLU6):
                module.__class__ = Clamp
        for parameter in self.body[:self.frozen].parameters():
            parameter.requires_grad_(False)

    def features(self, x):
        return self.dropout(self.body(2 * x - 1).mean(dim=(2, 3)))

    def load_start(self, folder):
        """Copies nsfwjs's dist/models/mobilenet_v2_mid, whose batch norms are folded into its weights.

        Each channel's weights are brought to the size that fresh ones have, so that one learning rate suits all.
        """
        tensors = {name.split('MobilenetV2/')[-1]: values for name, values in read_start(folder, 'mobilenet_v2_mid').items()}

        def copy(block, name, kind='Conv2D'):
            kernel = tensors[f'{name}/{kind}_weights'].transpose((2, 3, 0, 1) if kind == 'depthwise' else (3, 2, 0, 1))
            scale = np.sqrt((kernel ** 2).sum(axis=(1, 2, 3))) + 1e-6
            with torch.no_grad():
                block.conv.weight.copy_(torch.from_numpy(kernel / scale[:, None, None, None]))
                block.scale.copy_(torch.from_numpy(scale))
                block.shift.copy_(torch.from_numpy(tensors[f'{name}/{kind}_bn_offset'].copy()))

        copy(self.body[0][0], 'Conv')
        copy(self.body[18][0], 'Conv_1')
        for index in range(17):
            prefix = f'expanded_conv_{index}' if index else 'expanded_conv'
            parts = self.body[index + 1].conv
            if index:
                copy(parts[0][0], f'{prefix}/expand')
            copy(parts[-3][0], f'{prefix}/depthwise', 'depthwise')
            copy(parts[-2], f'{prefix}/project')


TEACHERS = {'teacher': InceptionTeacher, 'wide-teacher': WideTeacher, 'fine-teacher': WideTeacher}
