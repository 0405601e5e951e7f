"""Training views of garments with marked landmarks (points of measure)."""
import numpy as np
import torch

from samples.augment import Sampler
from sets.data import CANVAS, FAIRLY_SURE, OUTSIDE
from network.landmarks import STRIDE
from samples.light import relight
from sets.points import MIRRORED
from samples.views import box_of, render, to_batch

PASTE_SHARE = {'home': 0.2, 'studio': 0.6}
CROP_SHARE = 0.85  # share of views that show the garment only, as at inference


def move_points(points, matrix):
    """Maps points (n, 3: x, y, weight) by a 3 x 3 matrix. Swaps left and right if the matrix mirrors."""
    places = np.column_stack([points[:, :2] - 0.5, np.ones(len(points))]) @ matrix.T
    moved = np.column_stack([places[:, :2] / places[:, 2:] + 0.5, points[:, 2]])
    return moved[MIRRORED] if np.linalg.det(matrix[:2, :2]) < 0 else moved


class PointSampler(Sampler):
    """Makes training samples: (image, points), with points as x and y in map cells and a weight."""

    def sample(self, row):
        g, index, points = self.generator, row['row'], row['points']
        canvas, mask = self.images[index], self.masks[index]
        if index in self.pasteable_rows and g.random() < PASTE_SHARE[row['set']]:
            canvas, mask = self.composer.paste(*self.composer.ground(), row)
            points = move_points(points, self.composer.pasted)
        box = box_of(mask) if row['mask_unsure'] <= FAIRLY_SURE and g.random() < CROP_SHARE else None
        matrix = self.choose_view(box, 1.0)
        points = move_points(points, np.vstack([matrix, [0, 0, 1]]))
        image = render(canvas, matrix, self.size, (OUTSIDE,) * 3)
        image = relight(image, np.ones((self.size // 2, self.size // 2), np.float32), g)
        outside = ((points[:, :2] < 0) | (points[:, :2] >= self.size)).any(axis=1)
        points[outside, 2] = 0
        points[:, :2] = points[:, :2] / STRIDE - 0.5
        return image, points


def make_point_batch(sampler, rows):
    samples = [sampler.sample(row) for row in rows]
    return to_batch([image for image, _ in samples]), torch.from_numpy(np.stack([points for _, points in samples])).float()
