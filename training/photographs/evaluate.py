"""Two looks at each photograph, as at inference, and the figures."""
import cv2
import numpy as np
import torch

from augment import CROP_MARGIN, box_of, render, view_matrix
from data import CANVAS, FAMILY_OF, HEADS, OUTSIDE, SURE, TYPES, class_index

SECOND_WEIGHT = 0.5  # of the second look's logits; the rest is the first look's


def outline_box(probability):
    """Box of the outline in its own pixels: all parts of at least a tenth of the largest part's area."""
    count, labels, statistics, _ = cv2.connectedComponentsWithStats((probability > 0.5).astype(np.uint8))
    if count < 2:
        return None
    areas = statistics[1:, cv2.CC_STAT_AREA]
    kept = [index + 1 for index in range(count - 1) if areas[index] >= areas.max() / 10]
    return box_of(np.isin(labels, kept).astype(np.uint8) * 255)


def crop_square(box, scale):
    """Centre and side in canvas pixels of the second look's square, from a box in outline pixels (scale: canvas per outline pixel)."""
    x0, y0, x1, y1 = np.array(box) * scale
    return ((x0 + x1) / 2, (y0 + y1) / 2), CROP_MARGIN * max(x1 - x0, y1 - y0)


def run(model, images):
    batch = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2).float() / 255
    with torch.no_grad():
        tags, outline = model(batch.contiguous(memory_format=torch.channels_last))
    outline = None if outline is None else torch.sigmoid(outline)[:, 0].numpy()
    return {head: values.float().numpy() for head, values in tags.items() if head in HEADS}, outline


def two_looks(model, canvases, size, second_size=None, masks=None):
    """Logits of both looks by head (2, n, classes), outlines on the canvas (2, n, CANVAS, CANVAS) uint8.

    For a model that draws no outline, the second look is around `masks`, and the outlines are empty.
    """
    second_size = second_size or size
    whole = view_matrix((CANVAS / 2, CANVAS / 2), CANVAS, size)
    first, outlines = run(model, [render(canvas, whole, size, (OUTSIDE,) * 3) for canvas in canvases])
    crops, matrices, drawn = [], [], np.zeros((2, len(canvases), CANVAS, CANVAS), np.uint8)
    for index, canvas in enumerate(canvases):
        if outlines is None:
            box, scale = box_of(masks[index]), 1
        else:
            drawn[0, index] = cv2.resize(outlines[index] * 255, (CANVAS, CANVAS), interpolation=cv2.INTER_LINEAR)
            box, scale = outline_box(outlines[index]), 2 * CANVAS / size
        centre, side = crop_square(box, scale) if box else ((CANVAS / 2, CANVAS / 2), CANVAS)
        matrices.append(view_matrix(centre, max(side, CANVAS / 6), second_size))
        crops.append(render(canvas, matrices[-1], second_size, (OUTSIDE,) * 3))
    second, outlines = run(model, crops)
    for index, matrix in enumerate(matrices if outlines is not None else []):
        half = matrix / 2
        half[:, 2] -= 0.25
        drawn[1, index] = cv2.warpAffine(outlines[index] * 255, half, (CANVAS, CANVAS), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return {head: np.stack([first[head], second[head]]) for head in HEADS}, drawn


def overlap(drawn, mask):
    a, b = drawn > 127, mask > 127
    return (a & b).sum() / max(1, (a | b).sum())


def evaluate(model, rows, arrays, size, second_size=None, batch=32):
    """Per row: logits of both looks, labels, IoU of both outlines with the mask."""
    images, masks = arrays[:2]
    logits, ious = {head: [] for head in HEADS}, []
    for start in range(0, len(rows), batch):
        part = rows[start:start + batch]
        canvases, own_masks = [images[row['row']] for row in part], [masks[row['row']] for row in part]
        own, drawn = two_looks(model, canvases, size, second_size, own_masks)
        for head in HEADS:
            logits[head].append(own[head])
        ious += [[overlap(drawn[look, i], masks[row['row']]) for look in (0, 1)] for i, row in enumerate(part)]
    return {
        'rows': rows, 'ious': np.array(ious), 'logits': {head: np.concatenate(parts, 1) for head, parts in logits.items()},
        'labels': {head: np.array([class_index(row, head) for row in rows]) for head in HEADS}}


def softmax(logits):
    values = np.exp(logits - logits.max(axis=1, keepdims=True))
    return values / values.sum(axis=1, keepdims=True)


def combine(logits, weight=SECOND_WEIGHT):
    return (1 - weight) * logits[0] + weight * logits[1]


def summary(result, weight=SECOND_WEIGHT):
    """Accuracies in per cent, of whole / crop / both for the type."""
    figures = {}
    for head in HEADS:
        labels, logits = result['labels'][head], result['logits'][head]
        known = labels >= 0
        guesses = [values.argmax(1) for values in (logits[0], logits[1], combine(logits, weight))]
        if head == 'colour':
            second = np.array([HEADS['colour'].index(row['colour2']) if row['colour2'] else -1 for row in result['rows']])
            right = [(guess == labels) | (guess == second) for guess in guesses]
        else:
            right = [guess == labels for guess in guesses]
        scores = [round(100 * values[known].mean(), 1) for values in right]
        figures[head] = scores if head == 'type' else scores[2]
        if head == 'type':
            families = np.array([FAMILY_OF[name] for name in TYPES])
            figures['kind'] = round(100 * (families[guesses[2]] == families[labels])[known].mean(), 1)
            order = np.argsort(-combine(logits, weight), axis=1)[:, :4]
            figures['top4'] = round(100 * (order == labels[:, None]).any(1)[known].mean(), 1)
            p = softmax(combine(logits, weight)).max(1)[known]
            high = p >= 0.85
            figures['high'] = [round(100 * high.mean(), 1), round(100 * right[2][known][high].mean(), 1) if high.any() else None]
    sure = np.array([row['mask_unsure'] <= SURE and row['shown'] == 'Flat' for row in result['rows']])
    for look, name in ((0, 'iou_whole'), (1, 'iou_crop')):
        values = result['ious'][sure, look]
        figures[name] = [round(float(f), 4) for f in (values.mean(), (values > 0.9).mean(), (values < 0.5).mean())]
    return figures
