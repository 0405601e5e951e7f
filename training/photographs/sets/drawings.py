"""Drawn flat lays (../flat-lay/write-drawings.ts), appended to the rows and arrays of the photographs."""
import csv
from pathlib import Path

import cv2
import numpy as np

from sets.data import to_canvas, OUTSIDE


class Joined:
    """Two concatenated arrays, without copying the first, which is mapped from a file."""

    def __init__(self, first, second):
        self.first, self.second = first, second

    def __getitem__(self, index):
        index = int(index)
        return self.first[index] if index < len(self.first) else self.second[index - len(self.first)]


def add_drawings(folder, arrays):
    """Returns the drawings' rows, and (images, masks, hangers, rectangles) of photographs and drawings."""
    rows, images, masks, rectangles = [], [], [], []
    with open(Path(folder) / 'labels.csv', newline='') as file:
        for label in csv.DictReader(file):
            image = cv2.imread(str(Path(folder) / f"{label['id']}.jpg"))[:, :, ::-1]
            mask = cv2.imread(str(Path(folder) / f"{label['id']}.pgm"), cv2.IMREAD_GRAYSCALE)
            canvas, rectangle = to_canvas(np.ascontiguousarray(image), OUTSIDE)
            images.append(canvas)
            masks.append(to_canvas(mask, 0)[0])
            rectangles.append(rectangle)
            # No colour label, because drawn colours differ from photographed ones.
            rows.append(label | {
                'row': len(arrays[0]) + len(rows), 'set': 'drawings', 'source': 'drawings', 'group': 'drawings', 'split': 'train', 'unsure': 0, 'near': False, 'box': None,
                'colour': '', 'colour2': '', 'shown': 'Flat', 'mask_share': float((mask > 127).mean()), 'mask_unsure': 0.0})
    own = np.stack(images), np.stack(masks), np.zeros((len(rows),) + masks[0].shape, np.uint8), np.array(rectangles, np.int32)
    return rows, [Joined(base, extra) for base, extra in zip(arrays, own)]
