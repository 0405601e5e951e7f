"""Landmarks (points of measure), marked by eye on flat and hanging garments, in canvas coordinates."""
import json
from pathlib import Path

import numpy as np

# Left and right as seen in the picture of an upright garment.
POINTS = [
    'neckL', 'neckR', 'shoulderL', 'shoulderR', 'armpitL', 'armpitR', 'cuffL', 'cuffR', 'waistL', 'waistR', 'crotch', 'hemL', 'hemR',
    'hemLo', 'hemLi', 'hemRo', 'hemRi']
OTHER_SIDE = str.maketrans('LR', 'RL')
MIRRORED = [POINTS.index(name.translate(OTHER_SIDE)) for name in POINTS]  # which point each one is in the mirrored picture
ESTIMATED_WEIGHT = 0.5
MORE = Path(__file__).parent.parent / 'labels' / 'more-points.jsonl'  # our own marks


def read_points(photos, rows, rectangles):
    """The rows that have points; their `points` are (number of POINTS, 3): x and y on the canvas, and weight, 0 where there is none."""
    marked = {}
    for path in (Path(photos) / 'points.jsonl', MORE):
        for line in path.read_text().splitlines():
            garment = json.loads(line)
            marked[garment['set'], garment['id']] = garment
    found = []
    for row in rows:
        garment = marked.get((row['set'], row['id']))
        if garment is None:
            continue
        left, top, width, height = rectangles[row['row']]
        points = np.zeros((len(POINTS), 3))
        for name, (x, y) in garment['points'].items():
            weight = ESTIMATED_WEIGHT if name in garment['estimated'] else 1.0
            points[POINTS.index(name)] = left + x * width / garment['width'], top + y * height / garment['height'], weight
        found.append(row | {'points': points})
    return found
