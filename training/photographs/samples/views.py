"""Square views of a canvas, as network inputs."""
import cv2
import numpy as np
import torch

from sets.data import CANVAS, OUTSIDE

CROP_MARGIN = 1.12  # side of the crop, relative to the longer side of the outline's box


def box_of(mask, threshold=127):
    """Returns (x0, y0, x1, y1) of a mask, or None if it is empty."""
    columns, rows = np.flatnonzero((mask > threshold).any(axis=0)), np.flatnonzero((mask > threshold).any(axis=1))
    return (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1) if len(rows) else None


def view_matrix(centre, side, size, angle=0.0, flip=False):
    """Returns the 2 x 3 map from canvas to a view of `size` pixels: the square `side` around `centre`, turned by `angle` radians."""
    scale = size / side
    a, b = scale * np.cos(angle), scale * np.sin(angle)
    sign = -1 if flip else 1
    matrix = np.array([[sign * a, sign * b, 0], [-b, a, 0]])
    # Pixel centres lie at +0.5.
    matrix[:, 2] = size / 2 - 0.5 - matrix[:, :2] @ (np.asarray(centre) - 0.5)
    return matrix


def halved(matrix):
    """Returns the same map for a view of half the size."""
    half = matrix / 2
    half[:, 2] -= 0.25
    return half


def render(canvas, matrix, size, outside):
    """Applies the map. Averages before shrinking, so that fine patterns do not alias."""
    factor = 1 / np.sqrt(abs(np.linalg.det(matrix[:, :2])))
    if factor > 1.5:
        half = cv2.resize(canvas, (CANVAS // 2, CANVAS // 2), interpolation=cv2.INTER_AREA)
        inner = matrix.copy()
        inner[:, 2] += inner[:, :2] @ (0.5, 0.5)
        inner[:, :2] *= 2
        return cv2.warpAffine(half, inner, (size, size), borderValue=outside)
    return cv2.warpAffine(canvas, matrix, (size, size), borderValue=outside)


def crop_square(box):
    """Returns centre and side of the crop around a box on the canvas. Without a box it is the whole canvas."""
    if box is None:
        return (CANVAS / 2, CANVAS / 2), CANVAS
    x0, y0, x1, y1 = box
    return ((x0 + x1) / 2, (y0 + y1) / 2), max(CROP_MARGIN * max(x1 - x0, y1 - y0), CANVAS / 6)


def crop_view(canvas, box, size):
    """Renders the crop around a box."""
    return render(canvas, view_matrix(*crop_square(box), size), size, (OUTSIDE,) * 3)


def to_batch(images):
    """Converts RGB bytes (n, size, size, 3) to network inputs (n, 3, size, size) in [0, 1]."""
    return (torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2).float() / 255).contiguous(memory_format=torch.channels_last)
