"""A second decoder, beside the one of the outline: a map for each point of measure, and whether the point can be seen."""
import torch
from torch import nn
from torch.nn import functional as F

from network.body import FEATURES, FixedConv
from network.model import SMOOTH
from sets.points import POINTS

STRIDE = 4  # of the maps
WIDTHS = {32: 128, 16: 128, 8: 96, 4: 64}  # channels at each stride
REPEATS = {32: 1, 16: 2, 8: 2, 4: 2}  # pairs of a depthwise 5x5 and a pointwise convolution
REACH = 3  # cells on each side of the highest one whose mean is the place


class LandmarkDecoder(nn.Module):
    """(features by stride, smoothed features by stride, pooled features) -> (logits of maps at stride 4, logits of presence)."""

    def __init__(self, model):
        super().__init__()
        above = dict(zip(WIDTHS, [0, *WIDTHS.values()]))
        self.laterals, self.narrow, self.blocks = nn.ModuleDict(), nn.ModuleDict(), nn.ModuleDict()
        for stride, width in WIDTHS.items():
            source = model.blocks[model.ends[stride]].project.out_channels
            self.laterals[str(stride)] = FixedConv(source, width, activation=False)
            if above[stride] > width:
                self.narrow[str(stride)] = FixedConv(above[stride], width, activation=False)
            self.blocks[str(stride)] = nn.Sequential(*[
                part for _ in range(REPEATS[stride]) for part in (FixedConv(width, width, 5, 1, width), FixedConv(width, width))])
        self.edges = FixedConv(SMOOTH[STRIDE], WIDTHS[STRIDE], activation=False)
        self.maps = FixedConv(WIDTHS[STRIDE], len(POINTS), activation=False)
        self.maps.weight.data.mul_(0.1)  # all cells alike at first
        self.presence = nn.Linear(FEATURES, len(POINTS))
        self.dropout = nn.Dropout(0.2)

    def forward(self, levels, smoothed, pooled):
        y = None
        for stride in WIDTHS:
            name, x = str(stride), self.laterals[str(stride)](levels[stride])
            if y is not None:
                y = F.interpolate(self.narrow[name](y) if name in self.narrow else y, scale_factor=2, mode='nearest')
                x = x + y
            if stride == STRIDE:
                x = x + self.edges(smoothed[stride])
            y = self.blocks[name](x)
        with torch.autocast('cpu', enabled=False):
            presence = self.presence(self.dropout(pooled))
        return self.maps(y).float(), presence


def landmark_loss(maps, presence, points):
    """Cross-entropy of each map, over all cells, with a round spot around its point, and of presence. `points` are cells and weight."""
    n, count, side, _ = maps.shape
    cells = torch.arange(side)
    weights = points[:, :, 2]
    across, down = (torch.exp(-(cells - points[:, :, axis, None]) ** 2 / 2) for axis in (0, 1))  # a deviation of one cell
    spots = down[:, :, :, None] * across[:, :, None]
    spots = (spots / spots.sum(dim=(2, 3), keepdim=True).clamp(min=1e-6)).flatten(2)
    entropy = -(spots * F.log_softmax(maps.flatten(2), 2)).sum(2)
    seen = (weights > 0).float()
    doubt = torch.where(weights == 0, torch.ones(()), weights)
    found = F.binary_cross_entropy_with_logits(presence, seen, reduction='none')
    return (entropy * weights).sum() / weights.sum().clamp(min=1), (found * doubt).mean()


def read_maps(maps):
    """Per map: x and y in cells, and the share of the map's softmax that lies within REACH of the highest cell."""
    n, count, side, _ = maps.shape
    shares = F.softmax(maps.flatten(2), 2).reshape(maps.shape)
    best = maps.flatten(2).argmax(2)
    cells = torch.arange(side)
    near = [((cells - centre[:, :, None]).abs() <= REACH).float() for centre in (best % side, best // side)]
    shares = shares * near[1][:, :, :, None] * near[0][:, :, None]
    mass = shares.sum(dim=(2, 3))
    return torch.stack([(shares.sum(2) * cells).sum(2) / mass, (shares.sum(3) * cells).sum(2) / mass, mass], 2)


def load_decoder(path, model):
    """The decoder of a landmarks.pt, for use."""
    decoder = LandmarkDecoder(model)
    decoder.load_state_dict(torch.load(path, map_location='cpu')['model'])
    return decoder.eval()
