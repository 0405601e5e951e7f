"""Poses and cuts that the set lacks, made of its own pictures: sleeves spread as in flat lays, shorts, skirts.

The set shows garments hanging. In a flat lay sleeves point outwards, and a pullover becomes wider than long: to a
network trained on hanging sleeves that is a bag with two handles. Places are in pixels from the picture's centre.
"""

import math

import torch
import torch.nn.functional as F

TROUSER, PULLOVER, DRESS, COAT, SHIRT = 1, 2, 3, 4, 6


def uniform(n, low, high):
    return torch.empty(n, 1, 1).uniform_(low, high)


def take(x, columns, rows):
    """The picture's values at places [n, h, w] from its centre, between pixels by bilinear interpolation."""
    half = x.shape[-1] / 2
    return F.grid_sample(x, torch.stack([columns / half, rows / half], 3), align_corners=False)


def places(size):
    """Columns and rows [1, size, size] of the pixels' centres, from the picture's centre."""
    line = torch.arange(size) + 0.5 - size / 2
    return line[None, None, :].expand(1, size, size), line[None, :, None].expand(1, size, size)


def swing_sleeves(x):
    """Cuts at the sleeves' inner edge and turns them outwards round the shoulders by 10 to 50 degrees."""
    n, size = len(x), x.shape[-1]
    extent = (x[:, 0] > 0.03).any(1).float().sum(1)[:, None, None] / 2
    body = extent - uniform(n, 3, 4.5)
    shoulder = uniform(n, -11, -8)
    angle = uniform(n, 10, 50) * math.pi / 180
    cos, sin = torch.cos(angle), torch.sin(angle)
    reach = body + (size / 2 - 2 - shoulder) * sin + 3.5 * cos
    zoom = (reach / (size / 2)).clamp(min=1) * uniform(n, 0.98, 1.1)
    columns, rows = places(size)
    columns, rows = columns * zoom, rows * zoom
    out, down = columns.abs() - body, rows - shoulder
    sleeve_out, sleeve_down = out * cos - down * sin, out * sin + down * cos
    middle = take(x, columns, rows) * (out <= 0)[:, None]
    sleeves = take(x, columns.sign() * (body + sleeve_out), shoulder + sleeve_down) * (sleeve_out >= 0)[:, None]
    return torch.maximum(middle, sleeves)


def hangs_wide(x):
    """Whether there is garment far from the centre line near the hem, as hanging long sleeves make it."""
    size = x.shape[-1]
    columns, rows = places(size)
    low_and_wide = ((columns.abs() > 7.5) & (columns.abs() < 10) & (rows > 3) & (rows < 9)).float()
    return ((x[:, 0] > 0.03) * low_and_wide).sum((1, 2)) > 0.5 * low_and_wide.sum()


def cut(x, share_low, share_high, from_top, widest):
    """Keeps a share of the rows, from the top or from the hem, a little widened, and fills the picture with it."""
    n, size = len(x), x.shape[-1]
    kept = uniform(n, share_low, share_high) * size
    width = (x[:, 0] > 0.03).any(1).float().sum(1)[:, None, None]
    stretch = uniform(n, 1, widest)
    scale = size / torch.maximum(kept, width * stretch)
    columns, rows = places(size)
    columns, rows = columns / scale / stretch, rows / scale
    inside = rows.abs() <= kept / 2
    middle = (kept - size) / 2 if from_top else (size - kept) / 2
    return take(x, columns, rows + middle) * inside[:, None]


def pose(x, labels, swung_share=0.2, cut_share=0.08):
    """Changes some tops with long sleeves, some trousers (to shorts) and some dresses (to skirts), in a copy."""
    x = x.clone()
    chance = torch.rand(len(x))

    def change(which, make):
        if which.any():
            x[which] = make(x[which])

    tops = (labels == PULLOVER) | (labels == COAT) | (labels == SHIRT)
    change(tops & (chance < swung_share) & hangs_wide(x), swing_sleeves)
    change((labels == TROUSER) & (chance < cut_share), lambda some: cut(some, 0.32, 0.6, True, 1.6))
    change((labels == DRESS) & (chance < cut_share), lambda some: cut(some, 0.4, 0.75, False, 1.4))
    return x
