"""Measures the distance between landmarks found by the network and those marked by eye, as at inference."""
import cv2
import numpy as np
import torch

from sets.data import CANVAS, OUTSIDE
from evaluate import outline_box, run
from network.fast import autocast
from network.landmarks import SIZE, STRIDE, read_maps
from sets.points import MIRRORED, POINTS
from samples.views import crop_square, render, view_matrix, to_batch

SEEN = 0.5  # minimum visibility of a landmark that counts as found


def second_looks(network, canvases, size=192):
    """Returns crops around the first look's outline, and their maps from the canvas."""
    whole = view_matrix((CANVAS / 2, CANVAS / 2), CANVAS, size)
    _, outlines = run(network, [render(canvas, whole, size, (OUTSIDE,) * 3) for canvas in canvases], True)
    crops, matrices = [], []
    for canvas, outline in zip(canvases, outlines):
        matrices.append(view_matrix(*crop_square(outline_box(outline, 2 * CANVAS / size)), SIZE))
        crops.append(render(canvas, matrices[-1], SIZE, (OUTSIDE,) * 3))
    return crops, matrices


def look(landmarks, images):
    """Returns the logits of maps and of visibility."""
    with torch.no_grad(), autocast():
        maps, presence = landmarks(images.contiguous(memory_format=torch.channels_last))
    return maps, presence.float()


def find_points(network, landmarks, canvases):
    """Returns points on the canvas (n, POINTS, 2), the share of each map around its point, and visibilities."""
    crops, matrices = second_looks(network, canvases)
    images = to_batch(crops)
    (maps, presence), (mirrored, again) = (look(landmarks, pictures) for pictures in (images, images.flip(3)))
    maps = (maps + mirrored[:, MIRRORED].flip(3)) / 2
    presence = (torch.sigmoid(presence) + torch.sigmoid(again[:, MIRRORED])) / 2
    read, places = read_maps(maps).numpy(), []
    for cells, matrix in zip(read[:, :, :2], matrices):
        pixels = (cells + 0.5) * STRIDE - 0.5
        back = cv2.invertAffineTransform(matrix)
        places.append(pixels @ back[:, :2].T + back[:, 2] + 0.5)
    return np.stack(places), read[:, :, 2], presence.numpy()


def longer_side(row, rectangle, masks):
    """Returns the garment's longer side in canvas pixels, from its mask."""
    ys, xs = np.nonzero(masks[row['row']] > 127)
    return max(np.ptp(xs), np.ptp(ys)) + 1 if len(xs) else max(rectangle[2:])


def measure_errors(network, landmarks, rows, arrays, batch=16):
    """Returns (distances relative to the garment's longer side, weights, shares, visibilities), each (n, POINTS)."""
    images, masks, _, rectangles = arrays
    errors, shares, presences = [], [], []
    for start in range(0, len(rows), batch):
        part = rows[start:start + batch]
        places, share, presence = find_points(network, landmarks, [images[row['row']] for row in part])
        for row, own in zip(part, places):
            errors.append(np.hypot(*(own - row['points'][:, :2]).T) / longer_side(row, rectangles[row['row']], masks))
        shares.append(share)
        presences.append(presence)
    return np.stack(errors), np.stack([row['points'][:, 2] for row in rows]), np.concatenate(shares), np.concatenate(presences)


def evaluate_landmarks(network, landmarks, rows, arrays):
    """Returns for each landmark: count, median and 90th percentile of the distance in % of the longer side. Also shares found."""
    errors, weights, _, presences = measure_errors(network, landmarks, rows, arrays)
    marked, seen, figures = weights > 0, presences >= SEEN, {}
    for index, name in enumerate(POINTS):
        own = errors[marked[:, index] & seen[:, index], index]
        if len(own):
            figures[name] = [int(marked[:, index].sum()), *(round(100 * float(np.quantile(own, q)), 2) for q in (0.5, 0.9))]
    sure = errors[(weights == 1) & seen]
    figures['sure'] = [len(sure), *(round(100 * float(np.quantile(sure, q)), 2) for q in (0.5, 0.9))]
    figures['found'] = round(100 * float((seen & marked).sum() / marked.sum()), 1)
    figures['falsely'] = round(100 * float((seen & ~marked).sum() / max(1, seen.sum())), 1)
    return figures
