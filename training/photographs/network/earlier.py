"""An exported network as a teacher, for example from an earlier version of this project."""
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from network.weights import read_weights
from sets.classes import HEADS

SHAPES = {'conv3x3': (3, 3), 'depthwise': (3, 3), 'pointwise': (1, 1), 'dense': ()}


class EarlierNetwork(nn.Module):
    """RGB in [0, 1] -> (logits by head, None). Classes that it does not know get the logit -30."""

    def __init__(self, folder):
        super().__init__()
        self.description = json.loads((Path(folder) / 'network.json').read_text())
        blob, channels, self.parts = read_weights(folder), {'input': 3}, {}
        for layer in self.description['layers']:
            name, op, own = layer['name'], layer['op'], layer['channels']
            channels[name] = own
            if 'weights' not in layer:
                continue
            inputs, kernel = channels[layer['inputs'][0]], SHAPES[op]
            shape = (*kernel, own) if op == 'depthwise' else (own, *kernel, inputs)
            weight = np.frombuffer(blob, np.int8, int(np.prod(shape)), layer['weights']).reshape(shape).astype(np.float32)
            order = (2, 0, 1) if op == 'depthwise' else (0, 3, 1, 2) if kernel else (0, 1)
            weight = torch.from_numpy(np.ascontiguousarray(weight.transpose(order)))
            weight = weight[:, None] if op == 'depthwise' else weight
            scales, bias = (torch.from_numpy(np.frombuffer(blob, '<f4', own, layer[key]).copy()) for key in ('scales', 'biases'))
            self.parts[name] = weight * scales.reshape(-1, *[1] * (weight.ndim - 1)), bias

    def forward(self, x):
        """Runs all layers except those of the outline."""
        values, logits = {'input': x}, {}
        mean, deviation = self.description['input']['mean'][0], self.description['input']['deviation'][0]
        values['input'] = (x - mean) / deviation
        for layer in self.description['layers']:
            name, op = layer['name'], layer['op']
            if any(source not in values for source in layer['inputs']) or name.startswith(('lateral', 'up', 'sum', 'smooth', 'outline')):
                continue
            x = values[layer['inputs'][0]]
            if op in ('conv3x3', 'depthwise', 'pointwise'):
                weight, bias = self.parts[name]
                x = F.conv2d(x, weight, bias, layer['stride'], weight.shape[-1] // 2, groups=layer['channels'] if op == 'depthwise' else 1)
            elif op == 'add':
                x = x + values[layer['inputs'][1]]
            elif op == 'pool':
                x = x.float().mean(dim=(2, 3))
            else:
                x = F.linear(x.float(), *self.parts[name]).float()
            values[name] = x.clamp(0, 6) if layer.get('activation') == 'relu6' else x
        for head in self.description['heads']:
            own = torch.full((len(values['pool']), len(HEADS[head['name']])), -30.0)
            own[:, [HEADS[head['name']].index(name) for name in head['classes']]] = values[head['layer']].float()
            logits[head['name']] = own
        return logits, None
