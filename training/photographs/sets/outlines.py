"""Masks that we corrected by eye, with hangers, and masks of bags."""
import json
from pathlib import Path

import cv2
import numpy as np

from sets.data import FOLDERS, to_canvas

MARKS = Path(__file__).parent.parent / 'labels' / 'outline-marks.jsonl'


def fill(shape, polygons):
    """Returns a mask of polygons, whose points are in percent of width and height."""
    mask, (height, width) = np.zeros(shape, np.uint8), shape
    for polygon in polygons:
        cv2.fillPoly(mask, [np.round(np.array(polygon, float) * (width / 100, height / 100) * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return mask


def read_marks():
    """Returns marks by id. Polygons in `add` are missing parts of the garment. Polygons in `hanger` and `not` are hangers and other foreign parts."""
    marks = [json.loads(line) for line in MARKS.read_text().splitlines()]
    return {mark['id']: mark for mark in marks if not mark.get('skip')}


def corrected_masks(photos, rows, bag_masks):
    """Returns {row: (garment mask, hanger mask, ignored pixels)} on the canvas, for marked photographs and for bags.

    `bag_masks` is a folder of grey masks by id, which another network made, or None.
    """
    found, marks = {}, read_marks()
    for row in rows:
        bag = Path(bag_masks) / f"{row['id']}.png" if bag_masks and row['type'] == 'Bag' and not row['near'] else None
        if row['set'] == 'home' and row['id'] in marks:
            mark = marks[row['id']]
            mask = cv2.imread(str(Path(photos) / FOLDERS['home'] / 'masks' / f"{row['id']}.png"), cv2.IMREAD_GRAYSCALE)
            hanger, other, added = (fill(mask.shape, mark.get(key) or []) for key in ('hanger', 'not', 'add'))
            before = cv2.bitwise_or(mask, added)
            garment = before & ~(hanger | other)
            border = cv2.morphologyEx(hanger | other, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) & before
            parts = garment, hanger & ~other, border
        elif bag and bag.exists():
            mask = cv2.imread(str(bag), cv2.IMREAD_GRAYSCALE)
            parts = mask, np.zeros_like(mask), np.zeros_like(mask)
        else:
            continue
        found[row['row']] = tuple(to_canvas(part, 0)[0] for part in parts)
    return {index: parts for index, parts in found.items() if (parts[0] > 127).mean() > 0.02}
