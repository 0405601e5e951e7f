"""Runs all looks at photographs as at inference, and computes figures."""
import cv2
import numpy as np
import torch

from sets.classes import FAMILY_OF, FITS, FITS_OF_FAMILY, HEADS, SHOWN, TYPES, class_index
from sets.data import CANVAS, OUTSIDE, SURE
from network.fast import autocast
from network.near import NEAR_HEADS, SIZE as NEAR_SIZE
from network.neck import SIZE as NECK_SIZE
from samples.neck_views import neck_view
from samples.views import box_of, crop_square, crop_view, halved, render, view_matrix, to_batch

# Logit weights of the whole picture, crop, mirrored whole picture and second network, as in predict-picture.ts.
LOOK_WEIGHTS = 0.21, 0.28, 0.21, 0.3
NECK_WEIGHTS = {'neckline': 0.6}  # logit weights of the third network. All other looks together have the rest


def outline_box(probability, scale=1):
    """Returns the box of an outline, over all parts with at least 10 % of the largest part's area. `scale` converts its pixels."""
    count, labels, statistics, _ = cv2.connectedComponentsWithStats((probability > 0.5).astype(np.uint8))
    if count < 2:
        return None
    areas = statistics[1:, cv2.CC_STAT_AREA]
    kept = [index + 1 for index in range(count - 1) if areas[index] >= areas.max() / 10]
    return [edge * scale for edge in box_of(np.isin(labels, kept).astype(np.uint8) * 255)]


def run(model, images, fast):
    with torch.no_grad(), autocast(fast):
        tags, outline = model(to_batch(images))
    outline = torch.sigmoid(outline.float())[:, 0].numpy()
    return {head: values.float().numpy() for head, values in tags.items() if head in HEADS}, outline


def two_looks(model, canvases, size, second_size, fast=False):
    """Returns {head: logits (3, n, classes)} of whole picture, crop and mirror image, and outlines (2, n, CANVAS, CANVAS) uint8."""
    whole = view_matrix((CANVAS / 2, CANVAS / 2), CANVAS, size)
    pictures = [render(canvas, whole, size, (OUTSIDE,) * 3) for canvas in canvases]
    first, outlines = run(model, pictures, fast)
    mirrored, _ = run(model, [np.ascontiguousarray(picture[:, ::-1]) for picture in pictures], fast)
    crops, matrices, drawn = [], [], np.zeros((2, len(canvases), CANVAS, CANVAS), np.uint8)
    for index, canvas in enumerate(canvases):
        drawn[0, index] = cv2.resize(outlines[index] * 255, (CANVAS, CANVAS), interpolation=cv2.INTER_LINEAR)
        matrices.append(view_matrix(*crop_square(outline_box(outlines[index], 2 * CANVAS / size)), second_size))
        crops.append(render(canvas, matrices[-1], second_size, (OUTSIDE,) * 3))
    second, outlines = run(model, crops, fast)
    for index, matrix in enumerate(matrices):
        drawn[1, index] = cv2.warpAffine(
            outlines[index] * 255, halved(matrix), (CANVAS, CANVAS), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    return {head: np.stack([first[head], second[head], mirrored[head]]) for head in HEADS}, drawn


def look_from_near(near, neck, canvases, drawn, fast):
    """Returns {head: logits (looks, n, classes)} of the second network and, for some heads, of the third."""
    boxes, logits = [outline_box(own / 255) for own in drawn], {}
    for network, view, size in ((near, crop_view, NEAR_SIZE), (neck, neck_view, NECK_SIZE)):
        with torch.no_grad(), autocast(fast):
            seen = network(to_batch([view(canvas, box, size) for canvas, box in zip(canvases, boxes)]))
        for head in NEAR_HEADS if network is near else NECK_WEIGHTS:
            logits.setdefault(head, []).append(seen[head].float().numpy())
    return {head: np.stack(own) for head, own in logits.items()}


def look(networks, canvases, sizes, fast):
    """Like `two_looks`, with the looks of the second and third network appended if they are given."""
    logits, drawn = two_looks(networks[0], canvases, *sizes, fast)
    seen = look_from_near(*networks[1:], canvases, drawn[1], fast) if networks[1:] else {}
    return logits | {head: np.concatenate([logits[head], own]) for head, own in seen.items()}, drawn


def overlap(drawn, mask):
    a, b = drawn > 127, mask > 127
    return (a & b).sum() / max(1, (a | b).sum())


def evaluate(networks, rows, arrays, size, second_size, fast=False, batch=16):
    """Returns rows, logits of all looks, labels, and the IoU of both outlines with the mask (for worn garments, with the box).

    `networks` are the first network and, optionally, the second and third.
    """
    images, masks = arrays[:2]
    logits, ious = {head: [] for head in HEADS}, []
    for start in range(0, len(rows), batch):
        part = rows[start:start + batch]
        canvases = [images[row['row']] for row in part]
        own, drawn = look(networks, canvases, (size, second_size), fast)
        for head in HEADS:
            logits[head].append(own[head])
        ious += [[overlap(drawn[look, i], masks[row['row']]) for look in (0, 1)] for i, row in enumerate(part)]
    return {
        'rows': rows, 'ious': np.array(ious), 'logits': {head: np.concatenate(parts, 1) for head, parts in logits.items()},
        'labels': {head: np.array([class_index(row, head) for row in rows]) for head in HEADS}}


def softmax(logits):
    values = np.exp(logits - logits.max(axis=1, keepdims=True))
    return values / values.sum(axis=1, keepdims=True)


def combine(result, head):
    """Returns the weighted mean of the looks' logits."""
    looks = result['logits'][head]
    own, weights = looks[:len(LOOK_WEIGHTS)], LOOK_WEIGHTS[:len(looks)]
    others = sum(weight * logits for weight, logits in zip(weights, own)) / sum(weights)
    if len(looks) == len(own):
        return others
    return (1 - NECK_WEIGHTS[head]) * others + NECK_WEIGHTS[head] * looks[-1]


def mask_fits(logits, types):
    """Sets the logits of fits that the predicted type cannot have to -30."""
    allowed = np.array([[fit in FITS_OF_FAMILY.get(FAMILY_OF[TYPES[index]], FITS) for fit in FITS] for index in types])
    return np.where(allowed, logits, -30.0)


def answers(result, head):
    """Returns the combined logits, and a mask of the rows whose label is known and not marked unsure."""
    logits = combine(result, head)
    if head == 'fit':
        logits = mask_fits(logits, combine(result, 'type').argmax(1))
    sure = np.array([not row.get(f'{head}_unsure') for row in result['rows']])
    return logits, (result['labels'][head] >= 0) & sure


def right_of(result, head, guesses):
    right = guesses == result['labels'][head]
    if head == 'colour':
        right |= np.array([row['colour2'] != '' and HEADS['colour'][guess] == row['colour2'] for row, guess in zip(result['rows'], guesses)])
    return right


def summary(result):
    """Returns accuracies in per cent. The type has one for each look and one for all."""
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
    worn = combine(result, 'shown').argmax(1) == SHOWN.index('Worn')
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
