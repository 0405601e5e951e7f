"""Two looks at each photograph, one in the mirror and one at the neckline, as at inference, and the figures."""
import cv2
import numpy as np
import torch

from sets.classes import FAMILY_OF, FITS, FITS_OF_FAMILY, HEADS, SHOWN, TYPES, class_index
from sets.data import CANVAS, OUTSIDE, SURE
from network.neck import SIZE as NECK_SIZE
from samples.neck_views import neck_view
from samples.views import CROP_MARGIN, box_of, halved, render, view_matrix, to_batch

NECK_WEIGHT = 0.7  # of the logits of the look at the neckline, beside those of the others together
LOOK_WEIGHTS = 0.3, 0.4, 0.3  # of the logits of the first look, of the second, and of the first look mirrored


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


def run(model, images, fast):
    with torch.no_grad(), torch.autocast('cpu', dtype=torch.bfloat16, enabled=fast):
        tags, outline = model(to_batch(images))
    outline = torch.sigmoid(outline.float())[:, 0].numpy()
    return {head: values.float().numpy() for head, values in tags.items() if head in HEADS}, outline


def two_looks(model, canvases, size, second_size, fast=False):
    """Logits of the looks by head (3, n, classes), the last of the whole picture mirrored; outlines on the canvas (2, n, CANVAS, CANVAS) uint8."""
    whole = view_matrix((CANVAS / 2, CANVAS / 2), CANVAS, size)
    pictures = [render(canvas, whole, size, (OUTSIDE,) * 3) for canvas in canvases]
    first, outlines = run(model, pictures, fast)
    mirrored, _ = run(model, [np.ascontiguousarray(picture[:, ::-1]) for picture in pictures], fast)
    crops, matrices, drawn = [], [], np.zeros((2, len(canvases), CANVAS, CANVAS), np.uint8)
    for index, canvas in enumerate(canvases):
        drawn[0, index] = cv2.resize(outlines[index] * 255, (CANVAS, CANVAS), interpolation=cv2.INTER_LINEAR)
        box = outline_box(outlines[index])
        centre, side = crop_square(box, 2 * CANVAS / size) if box else ((CANVAS / 2, CANVAS / 2), CANVAS)
        matrices.append(view_matrix(centre, max(side, CANVAS / 6), second_size))
        crops.append(render(canvas, matrices[-1], second_size, (OUTSIDE,) * 3))
    second, outlines = run(model, crops, fast)
    for index, matrix in enumerate(matrices):
        drawn[1, index] = cv2.warpAffine(
            outlines[index] * 255, halved(matrix), (CANVAS, CANVAS), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return {head: np.stack([first[head], second[head], mirrored[head]]) for head in HEADS}, drawn


def look_at_necks(neck, canvases, drawn, fast):
    """Logits of the neckline (1, n, classes), in the squares that the second look's outlines give."""
    views = [neck_view(canvas, outline_box(own / 255), NECK_SIZE) for canvas, own in zip(canvases, drawn)]
    with torch.no_grad(), torch.autocast('cpu', dtype=torch.bfloat16, enabled=fast):
        return neck(to_batch(views))['neckline'].float().numpy()[None]


def overlap(drawn, mask):
    a, b = drawn > 127, mask > 127
    return (a & b).sum() / max(1, (a | b).sum())


def evaluate(model, rows, arrays, size, second_size=None, fast=False, batch=16, neck=None):
    """Per row: logits of the looks, labels, IoU of both outlines with the mask (a worn garment's box stands for its mask)."""
    images, masks = arrays[:2]
    logits, ious = {head: [] for head in HEADS}, []
    for start in range(0, len(rows), batch):
        part = rows[start:start + batch]
        canvases = [images[row['row']] for row in part]
        own, drawn = two_looks(model, canvases, size, second_size or size, fast)
        if neck:
            own['neckline'] = np.concatenate([own['neckline'], look_at_necks(neck, canvases, drawn[1], fast)])
        for head in HEADS:
            logits[head].append(own[head])
        ious += [[overlap(drawn[look, i], masks[row['row']]) for look in (0, 1)] for i, row in enumerate(part)]
    return {
        'rows': rows, 'ious': np.array(ious), 'logits': {head: np.concatenate(parts, 1) for head, parts in logits.items()},
        'labels': {head: np.array([class_index(row, head) for row in rows]) for head in HEADS}}


def softmax(logits):
    values = np.exp(logits - logits.max(axis=1, keepdims=True))
    return values / values.sum(axis=1, keepdims=True)


def combine(logits):
    others = sum(weight * own for weight, own in zip(LOOK_WEIGHTS, logits))
    return others if len(logits) == len(LOOK_WEIGHTS) else (1 - NECK_WEIGHT) * others + NECK_WEIGHT * logits[-1]


def mask_fits(logits, types):
    """Logits of fit without those that the named type cannot have."""
    allowed = np.array([[fit in FITS_OF_FAMILY.get(FAMILY_OF[TYPES[index]], FITS) for fit in FITS] for index in types])
    return np.where(allowed, logits, -30.0)


def answers(result, head):
    """Logits of all looks together, and the rows whose label counts: known, and for the soft heads sure."""
    logits = combine(result['logits'][head])
    if head == 'fit':
        logits = mask_fits(logits, combine(result['logits']['type']).argmax(1))
    sure = np.array([not row.get(f'{head}_unsure') for row in result['rows']])
    return logits, (result['labels'][head] >= 0) & sure


def right_of(result, head, guesses):
    right = guesses == result['labels'][head]
    if head == 'colour':
        right |= np.array([row['colour2'] != '' and HEADS['colour'][guess] == row['colour2'] for row, guess in zip(result['rows'], guesses)])
    return right


def summary(result):
    """Accuracies in per cent, of whole / crop / mirrored / all for the type."""
    figures = {}
    for head in HEADS:
        logits, known = answers(result, head)
        if known.any() and head != 'presence':
            figures[head] = round(100 * right_of(result, head, logits.argmax(1))[known].mean(), 1)
    logits, known = answers(result, 'type')
    labels, families = result['labels']['type'], np.array([FAMILY_OF[name] for name in TYPES])
    figures['type'] = [round(100 * (own.argmax(1) == labels)[known].mean(), 1) for own in (*result['logits']['type'], logits)]
    figures['kind'] = round(100 * (families[logits.argmax(1)] == families[labels])[known].mean(), 1)
    figures['top4'] = round(100 * (np.argsort(-logits, axis=1)[:, :4] == labels[:, None]).any(1)[known].mean(), 1)
    p = softmax(logits)[np.arange(len(labels)), labels][known]
    figures['loss'] = round(float(-np.log(p).mean()), 3)
    high = softmax(logits).max(1)[known] >= 0.85
    figures['high'] = [round(100 * high.mean(), 1), round(100 * (logits.argmax(1) == labels)[known][high].mean(), 1) if high.any() else None]
    worn = combine(result['logits']['shown']).argmax(1) == SHOWN.index('Worn')
    labels = result['labels']['shown']
    for name, own in (('worn_found', labels == SHOWN.index('Worn')), ('worn_wrongly', (labels == 0) | (labels == 1))):
        if own.any():
            figures[name] = round(100 * worn[own].mean(), 1)
    sure = np.array([row['mask_unsure'] <= SURE and row['shown'] == 'Flat' and row['box'] is None for row in result['rows']])
    for look, name in ((0, 'iou_whole'), (1, 'iou_crop')):
        values = result['ious'][sure, look]
        if len(values):
            figures[name] = [round(float(f), 4) for f in (values.mean(), (values > 0.9).mean(), (values < 0.5).mean())]
    return figures
