"""Views of necklines, in the upper middle of the garment's box. Must match neckSquare in src/vision/network/run-views.ts."""
import numpy as np

from samples.light import relight
from samples.views import box_of, render, view_matrix
from sets.data import CANVAS, OUTSIDE

SHARE, HEIGHT_SHARE, DOWN = 0.65, 0.8, 0.42  # square side by box width or this share of its height, and its centre's distance below the box's edge
PASTE_SHARE = {'home': 0.15, 'studio': 0.6}  # share of pasteable photographs that are pasted on another background
LEAST = 16  # minimum side in canvas pixels


def neck_square(box):
    """Returns centre and side of the square in canvas pixels."""
    x0, y0, x1, y1 = box
    side = SHARE * min(x1 - x0, HEIGHT_SHARE * (y1 - y0))
    return np.array([(x0 + x1) / 2, y0 + side * DOWN]), max(side, LEAST)


def neck_view(canvas, box, size, generator=None):
    """Renders the neckline. With a generator, varies position, size, angle and light, and mirrors half of the views."""
    centre, side = neck_square(box or (0, 0, CANVAS, CANVAS))
    if generator is None:
        return render(canvas, view_matrix(centre, side, size), size, (OUTSIDE,) * 3)
    g = generator
    centre, side = centre + g.normal(0, 0.07 * side, 2), side * np.exp(g.normal(0, 0.14))
    angle = np.deg2rad(g.uniform(-18, 18)) if g.random() < 0.7 else 0.0
    image = render(canvas, view_matrix(centre, side, size, angle, g.random() < 0.5), size, (OUTSIDE,) * 3)
    return relight(image, np.ones((size // 2, size // 2), np.float32), g, 1.0)


def sample_neck(sampler, row, size):
    """Returns a training view of a row's neckline. Most cut-outs are pasted on another photograph's floor."""
    g, index, composer = sampler.generator, row['row'], sampler.composer
    canvas, mask = sampler.images[index], sampler.masks[index]
    if index in sampler.pasteable_rows and g.random() < PASTE_SHARE[row['set']]:
        canvas, mask = composer.paste(*(composer.ground() if row['set'] == 'studio' else composer.background()), row)
    return neck_view(canvas, box_of(mask), size, g)
