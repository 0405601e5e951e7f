"""Squares of a canvas as the network's input."""
import cv2
import numpy as np
import torch

from sets.data import CANVAS, OUTSIDE

CROP_MARGIN = 1.12  # side of the second look's square, relative to the longer side of the outline's box


def box_of(mask, threshold=127):
    """(x0, y0, x1, y1) of the mask, or None where it is empty."""
    columns, rows = np.flatnonzero((mask > threshold).any(axis=0)), np.flatnonzero((mask > threshold).any(axis=1))
    return (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1) if len(rows) else None


def view_matrix(centre, side, size, angle=0.0, flip=False):
    """Affine map from canvas to a picture of `size` pixels that shows the square `side` around `centre`, turned by `angle` (radians)."""
    scale = size / side
    a, b = scale * np.cos(angle), scale * np.sin(angle)
    sign = -1 if flip else 1
    matrix = np.array([[sign * a, sign * b, 0], [-b, a, 0]])
    # Pixel centres lie at +0.5.
    matrix[:, 2] = size / 2 - 0.5 - matrix[:, :2] @ (np.asarray(centre) - 0.5)
    return matrix


def halved(matrix):
    """The same map to a picture of half the size."""
    half = matrix / 2
    half[:, 2] -= 0.25
    return half


def render(canvas, matrix, size, outside):
    """Applies the map; averages before shrinking so that fine patterns do not alias."""
    factor = 1 / np.sqrt(abs(np.linalg.det(matrix[:, :2])))
    if factor > 1.5:
        half = cv2.resize(canvas, (CANVAS // 2, CANVAS // 2), interpolation=cv2.INTER_AREA)
        inner = matrix.copy()
        inner[:, 2] += inner[:, :2] @ (0.5, 0.5)
        inner[:, :2] *= 2
        return cv2.warpAffine(half, inner, (size, size), borderValue=outside)
    return cv2.warpAffine(canvas, matrix, (size, size), borderValue=outside)


def crop_square(box):
    """Centre and side of the second look's square, of a box on the canvas."""
    if box is None:
        return (CANVAS / 2, CANVAS / 2), CANVAS
    x0, y0, x1, y1 = box
    return ((x0 + x1) / 2, (y0 + y1) / 2), max(CROP_MARGIN * max(x1 - x0, y1 - y0), CANVAS / 6)


def crop_view(canvas, box, size):
    """The second look at a canvas."""
    return render(canvas, view_matrix(*crop_square(box), size), size, (OUTSIDE,) * 3)


def to_batch(images):
    """RGB bytes (n, size, size, 3) as the network reads them: (n, 3, size, size) in [0, 1]."""
    return (torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)
