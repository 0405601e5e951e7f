"""Changes training images so that the network holds on segmented photographs too, not only on the set's own."""

import math

import torch
import torch.nn.functional as F

from .pose import pose

BLUR = torch.tensor([[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]])[None, None] / 16


def uniform(n, low, high):
    return torch.empty(n).uniform_(low, high)


def chosen(n, share):
    """A random mask [n, 1, 1, 1] that is true for about `share` of the images."""
    return (torch.rand(n) < share)[:, None, None, None]


def move(x, warped_share=0.25, shift_px=2):
    """Mirrors half and shifts all by whole pixels; some are turned, scaled, sheared, and widened towards top or hem.

    The last makes hanging sleeves and legs spread as they do in flat lays. Resampling blurs a little, too.
    """
    n, size = len(x), x.shape[-1]
    warped = (torch.rand(n) < warped_share).float()
    angle = uniform(n, -12, 12) * warped * math.pi / 180
    scale = torch.exp(uniform(n, -0.12, 0.15) * warped)
    aspect = torch.exp(uniform(n, -0.15, 0.15) * warped)
    shear = uniform(n, -0.1, 0.1) * warped
    mirror = torch.where(torch.rand(n) < 0.5, -1.0, 1.0)
    shift = torch.randint(-shift_px, shift_px + 1, (n, 2)).float() * 2 / size
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    rows = [
        torch.stack([mirror * cos * aspect, -sin + shear, shift[:, 0]], 1),
        torch.stack([mirror * sin, cos / aspect, shift[:, 1]], 1),
    ]
    grid = F.affine_grid(torch.stack(rows, 1), list(x.shape), align_corners=False)
    spread = (uniform(n, -0.2, 0.2) * warped)[:, None, None]
    grid = torch.stack([grid[..., 0] * (1 + spread * grid[..., 1]), grid[..., 1]], 3)
    return F.grid_sample(x, grid, align_corners=False)


def retone(x):
    """Other light and cloth: gain and gamma; flatter or reversed shading (as white garments get); softer or sharper."""
    n = len(x)
    gamma, gain = uniform(n, -0.5, 0.5).exp()[:, None, None, None], uniform(n, 0.6, 1.25)[:, None, None, None]
    x = torch.where(chosen(n, 0.2), (x.clamp(min=1e-6) ** gamma * gain).clamp(0, 1) * (x > 0), x)
    garment = (x > 0.03).float()
    mean = (x * garment).sum((2, 3), keepdim=True) / garment.sum((2, 3), keepdim=True).clamp(min=1)
    contrast = uniform(n, -0.5, 1)[:, None, None, None]
    flat = (mean + (x - mean) * contrast).clamp(0, 1) * garment
    x = torch.where(chosen(n, 0.15), flat, x)
    amount = uniform(n, -1, 1)[:, None, None, None]
    soft = (x + amount * (F.conv2d(x, BLUR, padding=1) - x)).clamp(0, 1)
    x = torch.where(chosen(n, 0.2), soft, x)
    noisy = (x + torch.randn_like(x) * uniform(n, 0, 0.05)[:, None, None, None]).clamp(0, 1)
    return torch.where(chosen(n, 0.1), noisy, x)


def print_on(x, share=0.06):
    """Stripes along, across, or both as a check, over the garment of some."""
    n, size = len(x), x.shape[-1]
    place = torch.arange(size).float()

    def waves():
        period, phase = uniform(n, 2, 9), uniform(n, 0, 2 * math.pi)
        return torch.sin(place * 2 * math.pi / period[:, None] + phase[:, None]) * (torch.rand(n) < 0.6)[:, None]

    pattern = waves()[:, None, :, None] + waves()[:, None, None, :]
    printed = (x + pattern * uniform(n, 0, 0.3)[:, None, None, None]).clamp(0.05, 1) * (x > 0.03)
    return torch.where(chosen(n, share), printed, x)


def erase(x, share=0.25):
    """Random erasing (arXiv 1708.04896): a rectangle of 2 to 25 % of the area becomes noise."""
    n, size = len(x), x.shape[-1]
    area, aspect = uniform(n, 0.02, 0.25), torch.exp(uniform(n, -1, 1))
    height, width = (area * aspect).sqrt().clamp(max=1) * size, (area / aspect).sqrt().clamp(max=1) * size
    top, left = torch.rand(n) * (size - height), torch.rand(n) * (size - width)
    place = torch.arange(size) + 0.5
    rows = (place >= top[:, None]) & (place < (top + height)[:, None])
    columns = (place >= left[:, None]) & (place < (left + width)[:, None])
    hole = (rows[:, :, None] & columns[:, None, :])[:, None] & chosen(n, share)
    return torch.where(hole, torch.rand_like(x), x)


def augment(x, labels):
    """x is [n, 1, 28, 28] in 0..1, labels [n]; the answer has the shape and range of x."""
    return erase(retone(print_on(move(pose(x, labels)))))
