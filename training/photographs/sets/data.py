"""Labels, masks and photographs of all sets as fixed-size arrays."""
import csv
import re
from pathlib import Path

import cv2
import numpy as np

from sets.classes import NO_GARMENT

CANVAS = 384  # pixels; every photograph lies centred in a square of this side
OUTSIDE = 128  # grey level of the canvas around the photograph
SURE, FAIRLY_SURE = 0.12, 0.25  # limits of mask_unsure, see the data's README
NEAR = 1.5  # side of a worn garment's second canvas, relative to the longer side of its box
FOLDERS = {
    'home': '.', 'studio': 'studio', 'worn': 'worn', 'catalogue': 'catalogue', 'people': 'people', 'accessories': 'accessories',
    'shops': 'shops'}
# A batch takes these sets' garments as worn ones: they have a box at most, never a mask.
WORN_SETS = 'worn', 'catalogue', 'people', 'accessories', 'shops'
FINE_SETS = 'worn', 'people', 'shops'  # of more pixels than a canvas, so that they are worth a second one from near
# A shop's `Several` is a set of two garments; a garment alone on white lies flat for our purposes; a form stands
# for a person.
SHOP_WORDS = {'type': {'Several': 'Set'}, 'shown': {'Cutout': 'Flat', 'Mannequin': 'Worn'}}
COLOUR_WORDS = re.compile(
    r'\b(black|white|gr[ea]y|beige|brown|red|orange|yellow|green|blue|navy|purple|pink|multi\w*|cream|ivory|khaki|burgundy|rust|plus|size)\b')
ARRAYS = ['images', 'masks', 'hangers', 'rectangles']


def read_titles(photos):
    """A shop's titles by id, without what tells colours and sizes apart: its words in order of the alphabet."""
    titles = {}
    for path in ('catalogue/titles.csv', 'accessories/labels.csv'):
        with open(Path(photos) / path, newline='') as file:
            for row in csv.DictReader(file):
                titles[row['id']] = ' '.join(sorted(re.findall('[a-z]+', COLOUR_WORDS.sub('', row['title'].lower()))))
    return titles


def product_of(row):
    """Returns the name that all pictures of one product in `shops` share, from the path in its source repository."""
    if row['source'] == 'solidus':  # nearly the same bag in every picture
        return 'solidus'
    folder, name = row['path'].rsplit('/', 1)
    return folder if row['source'] in ('bagisto', 'freesewing') else f"{folder}/{name.replace('-detail', '')}"


def read_labels(photos):
    """Rows of all sets, numbers parsed. `row` is the index into the arrays, `group` is what must not be split: a sender, a showcase, a title.

    A garment of FINE_SETS has a second row behind all others, `near`: a canvas that shows only its box's surroundings.
    """
    rows, titles = [], read_titles(photos)
    for name, folder in FOLDERS.items():
        with open(Path(photos) / folder / 'labels.csv', newline='') as file:
            for row in csv.DictReader(file):
                worn = name in WORN_SETS
                box = [float(row[edge]) for edge in ('x0', 'y0', 'x1', 'y1')] if 'x0' in row else [0.0, 0.0, 1.0, 1.0]
                for key, words in SHOP_WORDS.items() if worn else ():
                    row[key] = words.get(row.get(key), row.get(key, ''))
                rows.append({'colour': '', 'colour2': ''} | row | {
                    'set': name, 'near': False, 'split': row.get('split', name), 'source': name,
                    'group': product_of(row) if name == 'shops' else row.get('sender') or row.get('showcase') or titles.get(row['id']) or row['id'],
                    'box': box if worn else None,
                    'mask_share': float(row.get('mask_share') or 0), 'mask_unsure': float(row.get('mask_unsure') or 1)})
    for row in rows:
        if row['set'] in WORN_SETS:
            row['source'] = 'thing' if row['type'] in NO_GARMENT else 'worn'
    rows += [row | {'near': True} for row in rows if row['set'] in FINE_SETS]
    for index, row in enumerate(rows):
        row['row'] = index
        for key in ('unsure', 'fabric_unsure', 'fit_unsure'):
            row[key] = int(row.get(key) or 0)
    return rows


def to_canvas(image, outside):
    """Scales the image so that its longer side is CANVAS and centres it. Returns canvas and (x, y, width, height)."""
    height, width = image.shape[:2]
    scale = CANVAS / max(height, width)
    inner_width, inner_height = round(width * scale), round(height * scale)
    x, y = (CANVAS - inner_width) // 2, (CANVAS - inner_height) // 2
    canvas = np.full((CANVAS, CANVAS) + image.shape[2:], outside, np.uint8)
    canvas[y:y + inner_height, x:x + inner_width] = cv2.resize(
        image, (inner_width, inner_height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    return canvas, (x, y, inner_width, inner_height)


def fill_holes(mask):
    """Fills regions of the background that do not touch the border."""
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    cv2.floodFill(padded, None, (0, 0), 255)
    return mask | ~padded[1:-1, 1:-1]


def hanger_zone(mask):
    """Thin parts in the upper quarter of a hanging garment's mask: hook and hanger, perhaps straps."""
    rows = np.flatnonzero(mask.any(axis=1))
    if len(rows) == 0:
        return np.zeros_like(mask)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (17, 17))
    thin = cv2.subtract(mask, cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel))
    thin[rows[0] + (rows[-1] - rows[0]) // 4:] = 0
    return cv2.dilate(thin, np.ones((5, 5), np.uint8))


def box_mask(shape, box):
    """A worn garment has no mask: its box stands for it, and the outline learns only that nothing lies outside."""
    mask = np.zeros(shape, np.uint8)
    height, width = shape
    x0, y0, x1, y1 = np.round(np.multiply(box, (width, height, width, height))).astype(int)
    mask[y0:y1, x0:x1] = 255
    return mask


def cut_near(image, mask, box):
    """The square around the box, NEAR times as large, as far as it lies in the picture."""
    height, width = mask.shape
    x0, y0, x1, y1 = np.multiply(box, (width, height, width, height))
    half, middle = NEAR * max(x1 - x0, y1 - y0) / 2, ((x0 + x1) / 2, (y0 + y1) / 2)
    left, top = (max(0, round(centre - half)) for centre in middle)
    right, bottom = (min(end, round(centre + half)) for centre, end in zip(middle, (width, height)))
    return image[top:bottom, left:right], mask[top:bottom, left:right]


def load_arrays(photos, cache):
    """Photographs (n, CANVAS, CANVAS, 3), masks and hanger zones (n, CANVAS, CANVAS), rectangles (n, 4).

    Decodes once into .npy files in `cache`; later calls map these files into memory.
    """
    cache = Path(cache)
    if not (cache / 'rectangles.npy').exists():
        cache.mkdir(parents=True, exist_ok=True)
        rows = read_labels(photos)
        shape = (len(rows), CANVAS, CANVAS)
        images, masks, hangers = [
            np.lib.format.open_memmap(cache / f'{name}.npy', mode='w+', dtype=np.uint8, shape=size)
            for name, size in (('images', shape + (3,)), ('masks', shape), ('hangers', shape))]
        rectangles = np.zeros((len(rows), 4), np.int32)
        for row in rows:
            index, folder = row['row'], Path(photos) / FOLDERS[row['set']]
            image = cv2.imread(str(folder / 'images' / f"{row['id']}.jpg"))[:, :, ::-1]
            if row['box']:
                mask = box_mask(image.shape[:2], row['box'])
                if row['near']:
                    image, mask = cut_near(image, mask, row['box'])
            else:
                mask = cv2.imread(str(folder / 'masks' / f"{row['id']}.png"), cv2.IMREAD_GRAYSCALE)
            images[index], rectangles[index] = to_canvas(np.ascontiguousarray(image), OUTSIDE)
            mask, _ = to_canvas(mask, 0)
            masks[index] = fill_holes(mask) if row['set'] == 'home' and row['mask_unsure'] > SURE else mask
            if row['shown'] == 'Hanging' and row['set'] == 'home':
                hangers[index] = hanger_zone(mask)
        for array in (images, masks, hangers):
            array.flush()
        np.save(cache / 'rectangles.npy', rectangles)
    return [np.load(cache / f'{name}.npy', mmap_mode='r') for name in ARRAYS]
