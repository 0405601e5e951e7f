"""People who wear garments, cut out of their photographs, with joints marked by eye."""
import json
from pathlib import Path

import cv2
import numpy as np

from sets.data import FOLDERS

MARKS = Path(__file__).parent.parent / 'labels' / 'people.jsonl'
DOUBT = 0.03  # of the outline's longer side: how far a marked outline may be from the true one
ROUNDS = 3  # of GrabCut


def refine(image, outline):
    """Mask of what the marked outline (n, 2) surrounds; within its doubt GrabCut decides by colour."""
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.int32(outline)], 1)
    reach = max(3, int(DOUBT * np.ptp(outline, axis=0).max()))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1,) * 2)
    padded = cv2.copyMakeBorder(inside, reach, reach, reach, reach, cv2.BORDER_REPLICATE)  # what the picture cuts is no edge
    sure, possible = [change(padded, kernel)[reach:-reach, reach:-reach] for change in (cv2.erode, cv2.dilate)]
    state = np.where(sure > 0, cv2.GC_FGD, np.where(possible > 0, cv2.GC_PR_BGD, cv2.GC_BGD)).astype(np.uint8)
    state[(inside > 0) & (sure == 0)] = cv2.GC_PR_FGD
    if sure.any() and not possible.all():
        cv2.grabCut(np.ascontiguousarray(image), state, None, np.zeros((1, 65)), np.zeros((1, 65)), ROUNDS, cv2.GC_INIT_WITH_MASK)
    mask = np.isin(state, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8) * 255
    return cv2.medianBlur(mask, 5)


def load_people(photos, rows, cache):
    """One dict for each marked person among `rows`: image (h, w, 3), mask, joints by name (pixels), view, and the worn garment's row."""
    marks = {mark['id']: mark for mark in map(json.loads, MARKS.read_text().splitlines())}
    folder, people = Path(cache) / 'people', []
    folder.mkdir(parents=True, exist_ok=True)
    for row in rows:
        mark = marks.get(row['id']) if row['set'] == 'worn' and not row['near'] else None
        if mark is None:
            continue
        image = cv2.imread(str(Path(photos) / FOLDERS['worn'] / 'images' / f"{row['id']}.jpg"))
        path = folder / f"{row['id']}.png"
        if not path.exists():
            cv2.imwrite(str(path), refine(image, np.array(mark['person'])))
        people.append({
            'image': np.ascontiguousarray(image[:, :, ::-1]), 'mask': cv2.imread(str(path), cv2.IMREAD_GRAYSCALE),
            'joints': {name: np.array(place, float) for name, place in mark['joints'].items()}, 'view': mark['view'], 'row': row})
    return people
