"""Pictures of where a neckline is: the upper middle of the garment's box. src/vision/network/run-views.ts cuts the same."""
import numpy as np

from samples.light import relight
from samples.views import box_of, render, view_matrix
from sets.data import CANVAS, OUTSIDE

SHARE, HEIGHT_SHARE, DOWN = 0.65, 0.8, 0.42  # side of the square by the box's width or part of its height; centre below the box's edge
PASTE_SHARE = {'home': 0.15, 'studio': 0.6}  # of the photographs that can be pasted on another ground
LEAST = 16  # canvas pixels


def neck_square(box):
    """Centre and side in canvas pixels."""
    x0, y0, x1, y1 = box
    side = SHARE * min(x1 - x0, HEIGHT_SHARE * (y1 - y0))
    return np.array([(x0 + x1) / 2, y0 + side * DOWN]), max(side, LEAST)


def neck_view(canvas, box, size, generator=None):
    """With a generator, varied in place, size, angle and light, and in the mirror half of the time."""
    centre, side = neck_square(box or (0, 0, CANVAS, CANVAS))
    if generator is None:
        return render(canvas, view_matrix(centre, side, size), size, (OUTSIDE,) * 3)
    g = generator
    centre, side = centre + g.normal(0, 0.07 * side, 2), side * np.exp(g.normal(0, 0.14))
    angle = np.deg2rad(g.uniform(-18, 18)) if g.random() < 0.7 else 0.0
    image = render(canvas, view_matrix(centre, side, size, angle, g.random() < 0.5), size, (OUTSIDE,) * 3)
    return relight(image, np.ones((size // 2, size // 2), np.float32), g, 1.0)


def sample_neck(sampler, row, size):
    """A training picture of the row's neckline; cut-outs lie on other photographs' floors most of the time."""
    g, index, composer = sampler.generator, row['row'], sampler.composer
    canvas, mask = sampler.images[index], sampler.masks[index]
    if index in sampler.pasteable_rows and g.random() < PASTE_SHARE[row['set']]:
        canvas, mask = composer.paste(*(composer.ground() if row['set'] == 'studio' else composer.background()), row)
    return neck_view(canvas, box_of(mask), size, g)
