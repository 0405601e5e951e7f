"""Random light and camera effects, and plain walls."""
import cv2
import numpy as np

from sets.data import CANVAS


def relight(image, valid, generator, strength=1.0):
    """Varies exposure, contrast, tint, blur and noise, and paints a random rectangle over, which it clears in `valid`."""
    g, size = generator, image.shape[0]
    levels = np.arange(256, dtype=np.float32) / 255
    gains = np.exp(g.normal(0, 0.12 * strength) + g.normal(0, 0.04 * strength, 3))
    gamma, offset = np.exp(g.normal(0, 0.15 * strength)), g.normal(0, 0.02)
    if image[::8, ::8].mean() > 190:  # do not brighten: a pale garment on white would disappear
        gains, offset = gains / max(1, gains.max()), min(0, offset)
    table = np.clip(levels[:, None] ** gamma * gains + offset, 0, 1)
    image = cv2.LUT(image, (table * 255).astype(np.uint8)[:, None, :])
    if g.random() < 0.3 * strength:
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        image = cv2.addWeighted(image, w := g.uniform(0.7, 1.25), grey, 1 - w, 0)
    if g.random() < 0.15 * strength:
        image = cv2.GaussianBlur(image, (0, 0), g.uniform(0.3, 1.1))
    if g.random() < 0.15 * strength:  # low resolution as in thumbnails, so that it does not become a clue
        small = cv2.resize(image, None, fx=(share := g.uniform(0.35, 0.85)), fy=share, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, (size, size), interpolation=cv2.INTER_LINEAR)
    if g.random() < 0.2:
        noise = g.standard_normal(image.shape, np.float32) * np.float32(g.uniform(1, 8))
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if g.random() < 0.2 * strength:
        w, h = g.integers(size // 10, size // 3, 2)
        x, y = g.integers(0, size - w), g.integers(0, size - h)
        image[y:y + h, x:x + w] = g.integers(0, 256, 3)
        valid[y // 2:(y + h) // 2 + 1, x // 2:(x + w) // 2 + 1] = 0
    return image


def wall(generator):
    """Draws a plain studio wall: one colour, mostly white or grey, brighter towards one side."""
    g = generator
    base = g.uniform(150, 256) + g.normal(0, 6, 3) if g.random() < 0.85 else g.uniform(20, 220, 3)
    turn, depth = g.uniform(0, 2 * np.pi), g.uniform(0, 50) * (g.random() < 0.6)
    axis = np.linspace(-0.5, 0.5, CANVAS, dtype=np.float32)
    ramp = np.cos(turn) * axis[None] + np.sin(turn) * axis[:, None]
    image = np.float32(base) + np.float32(depth) * ramp[:, :, None]
    return np.clip(image, 0, 255).astype(np.uint8)
