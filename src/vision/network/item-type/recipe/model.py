"""The network: a small residual net whose batch norms fold into its convolutions."""

import torch
import torch.nn.functional as F
from torch import nn

STEM = 16
# (channels in, channels out, stride): 28 x 28, then 14 x 14, then 7 x 7 positions.
BLOCKS = [(16, 16, 1), (16, 48, 2), (48, 48, 1), (48, 80, 2), (80, 80, 1)]


class ConvNorm(nn.Module):
    def __init__(self, channels_in, channels_out, size, stride):
        super().__init__()
        self.conv = nn.Conv2d(channels_in, channels_out, size, stride, size // 2, bias=False)
        self.norm = nn.BatchNorm2d(channels_out)

    def forward(self, x):
        return self.norm(self.conv(x))

    def fold(self):
        """Weights [out, in, size, size] and biases [out] of the one convolution that does the same at inference."""
        gain = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        return self.conv.weight * gain[:, None, None, None], self.norm.bias - self.norm.running_mean * gain


class Block(nn.Module):
    def __init__(self, channels_in, channels_out, stride):
        super().__init__()
        self.first = ConvNorm(channels_in, channels_out, 3, stride)
        self.second = ConvNorm(channels_out, channels_out, 3, 1)
        self.shortcut = None if stride == 1 else ConvNorm(channels_in, channels_out, 1, stride)

    def forward(self, x):
        aside = x if self.shortcut is None else self.shortcut(x)
        return F.relu(self.second(F.relu(self.first(x))) + aside)


class Network(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.stem = ConvNorm(1, STEM, 3, 1)
        self.blocks = nn.Sequential(*[Block(*block) for block in BLOCKS])
        self.head = nn.Linear(BLOCKS[-1][1], classes)

    def forward(self, x):
        return self.head(self.blocks(F.relu(self.stem(x))).mean((2, 3)))


def folded_layers(network):
    """[(weights, biases)] in the order of the weights file: stem; of each block first, second, shortcut; head."""
    layers = [network.stem.fold()]
    for block in network.blocks:
        layers += [layer.fold() for layer in (block.first, block.second, block.shortcut) if layer is not None]
    return layers + [(network.head.weight[:, :, None, None], network.head.bias)]


def run_folded(layers, x):
    """The inference network over folded layers; x is [n, 1, 28, 28], the answer [n, 10] logits of x as it is."""
    remaining = iter(layers)

    def conv(x, stride):
        weights, biases = next(remaining)
        return F.conv2d(x, weights, biases, stride, weights.shape[-1] // 2)

    x = F.relu(conv(x, 1))
    for _, _, stride in BLOCKS:
        inner = conv(F.relu(conv(x, stride)), 1)
        x = F.relu(inner + (x if stride == 1 else conv(x, stride)))
    return conv(x.mean((2, 3), keepdim=True), 1).flatten(1)


def predict(layers, images, batch=500):
    """Logits as the service gives them: the mean of those of the picture and of its mirror image."""
    with torch.no_grad():
        halves = [run_folded(layers, x) + run_folded(layers, x.flip(3)) for x in images.split(batch)]
    return torch.cat(halves) / 2
