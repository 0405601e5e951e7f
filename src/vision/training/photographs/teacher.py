"""The teacher: an Inception-v3 that is larger than what the Worker can hold. It names garments and draws no outline."""
import re

import numpy as np
import torch
from torch import nn
from torchvision.models import inception_v3

from data import ALL_HEADS
from model import read_start

FEATURE_SCALE = 8  # the start's features are small: 0.02 on average
FROZEN = re.compile(r'Conv2d_|Mixed_5[bc]')  # these blocks keep the start's weights


class FixedNormConv(nn.Module):
    """A convolution with fixed batch-norm statistics, the scale folded into its weights on the fly."""

    def __init__(self, block):
        super().__init__()
        self.conv = block.conv
        self.register_buffer('scale', torch.ones(self.conv.out_channels))
        self.shift = nn.Parameter(torch.zeros(self.conv.out_channels))

    def forward(self, x):
        conv = self.conv
        weight = conv.weight * self.scale[:, None, None, None]
        return nn.functional.relu(nn.functional.conv2d(x, weight, self.shift, conv.stride, conv.padding))


class TeacherNet(nn.Module):
    """RGB in [0, 1] -> (logits by head, None)."""

    def __init__(self, dropout=0.3):
        super().__init__()
        self.body = inception_v3(weights=None, aux_logits=False, transform_input=False, init_weights=False)
        self.body.fc = nn.Identity()
        self.body.dropout = nn.Dropout(dropout)
        for name, parent in list(self.body.named_modules()):
            for child, block in list(parent.named_children()):
                if type(block).__name__ == 'BasicConv2d':
                    setattr(parent, child, FixedNormConv(block))
        for name, parameter in self.body.named_parameters():
            parameter.requires_grad_(not FROZEN.match(name))
        self.heads = nn.Linear(2048, sum(map(len, ALL_HEADS.values())))

    def forward(self, x):
        logits = self.heads(FEATURE_SCALE * self.body(x)).split([len(classes) for classes in ALL_HEADS.values()], dim=1)
        return dict(zip(ALL_HEADS, logits)), None


def load_teacher_start(model, folder):
    """Copies nsfwjs's dist/models/inception_v3; its layers are numbered in the order of torchvision's modules."""
    tensors = read_start(folder, 'inception_v3')
    blocks = [module for module in model.body.modules() if isinstance(module, FixedNormConv)]
    with torch.no_grad():
        for number, block in enumerate(blocks, 1):
            kernel, norm = tensors[f'conv2d_{number}/kernel'], f'batch_normalization_{number}'
            block.conv.weight.copy_(torch.from_numpy(kernel.transpose(3, 2, 0, 1).copy()))
            scale = 1 / np.sqrt(np.maximum(tensors[f'{norm}/moving_variance'], 0) + 1e-3)
            block.scale.copy_(torch.from_numpy(scale))
            block.shift.copy_(torch.from_numpy(tensors[f'{norm}/beta'] - tensors[f'{norm}/moving_mean'] * scale))
