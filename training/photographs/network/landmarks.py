"""The fourth network: a map for each landmark over the garment's surroundings, and the landmark's visibility."""
import torch
from torch import nn
from torch.nn import functional as F

from network.body import FixedConv, Rounding, make_body
from network.small import with_levels
from sets.points import POINTS

SIZE = 288  # input size in pixels at inference
STRIDE = 4  # input pixels per map cell
BLOCKS = 9  # blocks of EfficientNet-Lite0 that are used, up to stride 16
ENDS = {16: 8, 8: 4, 4: 2}  # last block at each stride
WIDTHS = {32: 128, 16: 128, 8: 96, 4: 64}  # decoder channels at each stride
REPEATS = {32: 2, 16: 2, 8: 2, 4: 2}  # pairs of a 5 x 5 depthwise and a pointwise convolution at each stride
REACH = 3  # radius in cells around the highest cell whose weighted mean is the position


class LandmarkNet(nn.Module):
    """RGB in [0, 1], sides a multiple of 32 -> (map logits at stride 4, visibility logits)."""

    body_name = 'lite0'
    mean, deviation = 127 / 255, 128 / 255

    def __init__(self):
        super().__init__()
        self.stem, blocks, _, _ = make_body(self.body_name)
        self.blocks = blocks[:BLOCKS]
        channels = {stride: self.blocks[index].project.out_channels for stride, index in ENDS.items()}
        self.enter = FixedConv(channels[16], WIDTHS[32])
        self.shrink = FixedConv(WIDTHS[32], WIDTHS[32], 3, 2, WIDTHS[32])
        above = dict(zip(WIDTHS, [0, *WIDTHS.values()]))
        self.laterals = nn.ModuleDict({str(stride): FixedConv(count, WIDTHS[stride], activation=False) for stride, count in channels.items()})
        self.narrow = nn.ModuleDict({
            str(stride): FixedConv(above[stride], width, activation=False) for stride, width in WIDTHS.items() if above[stride] > width})
        self.sums = nn.ModuleDict({str(stride): Rounding() for stride in ENDS})
        self.parts = nn.ModuleDict({
            str(stride): nn.Sequential(*[
                part for _ in range(REPEATS[stride]) for part in (FixedConv(width, width, 5, 1, width), FixedConv(width, width))])
            for stride, width in WIDTHS.items()})
        self.maps = FixedConv(WIDTHS[STRIDE], len(POINTS), activation=False)
        self.maps.weight.data.mul_(0.1)  # starts with nearly uniform maps
        self.presence = nn.Linear(WIDTHS[32], len(POINTS))
        self.dropout = nn.Dropout(0.2)

    def forward(self, x):
        x, levels, strides = self.stem((x - self.mean) / self.deviation), {}, {index: stride for stride, index in ENDS.items()}
        for index, block in enumerate(self.blocks):
            x = block(x)
            if index in strides:
                levels[strides[index]] = x
        y = self.parts['32'](self.shrink(self.enter(x)))
        pooled = y.float().mean(dim=(2, 3))
        for stride in ENDS:
            name = str(stride)
            y = F.interpolate(self.narrow[name](y) if name in self.narrow else y, scale_factor=2, mode='nearest')
            y = self.parts[name](self.sums[name](self.laterals[name](levels[stride]) + y))
        with torch.autocast('cpu', enabled=False):
            presence = self.presence(self.dropout(pooled))
        return self.maps(y).float(), presence

    def load_start(self, path):
        """Copies the first blocks of a near.pt, which has learned from garments."""
        stored = torch.load(path, map_location='cpu')['model']
        self.load_state_dict({name: value for name, value in stored.items() if name in self.state_dict() and name.startswith(('stem.', 'blocks.'))}, strict=False)


def landmark_loss(maps, presence, points):
    """Returns (map loss, visibility loss). `points` (n, landmarks, 3) are x and y in cells and a weight, 0 for none.

    The map loss is the cross-entropy over all cells with a Gaussian around the point, one cell wide.
    """
    n, count, side, _ = maps.shape
    cells = torch.arange(side)
    weights = points[:, :, 2]
    across, down = (torch.exp(-(cells - points[:, :, axis, None]) ** 2 / 2) for axis in (0, 1))
    spots = down[:, :, :, None] * across[:, :, None]
    spots = (spots / spots.sum(dim=(2, 3), keepdim=True).clamp(min=1e-6)).flatten(2)
    entropy = -(spots * F.log_softmax(maps.flatten(2), 2)).sum(2)
    seen = (weights > 0).float()
    doubt = torch.where(weights == 0, torch.ones(()), weights)
    found = F.binary_cross_entropy_with_logits(presence, seen, reduction='none')
    return (entropy * weights).sum() / weights.sum().clamp(min=1), (found * doubt).mean()


def read_maps(maps):
    """Returns x, y in cells for each map, and the share of its softmax within REACH of the highest cell."""
    n, count, side, _ = maps.shape
    shares = F.softmax(maps.flatten(2), 2).reshape(maps.shape)
    best = maps.flatten(2).argmax(2)
    cells = torch.arange(side)
    near = [((cells - centre[:, :, None]).abs() <= REACH).float() for centre in (best % side, best // side)]
    shares = shares * near[1][:, :, :, None] * near[0][:, :, None]
    mass = shares.sum(dim=(2, 3))
    return torch.stack([(shares.sum(2) * cells).sum(2) / mass, (shares.sum(3) * cells).sum(2) / mass, mass], 2)


def load_landmarks(path):
    """Loads a landmarks.pt for inference, with weights rounded as exported."""
    model = LandmarkNet()
    model.load_state_dict(torch.load(path, map_location='cpu')['model'])
    return with_levels(model).eval()
