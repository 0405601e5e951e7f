"""Labels, masks and photographs of all sets, as arrays of one size."""
import csv
import re
from pathlib import Path

import cv2
import numpy as np

from sets.classes import NO_GARMENT

CANVAS = 384  # side in pixels of the square in which every photograph is centred
OUTSIDE = 128  # grey level of the canvas around the photograph
SURE, FAIRLY_SURE = 0.12, 0.25  # limits of mask_unsure
NEAR = 1.5  # side of a worn garment's second canvas, relative to the longer side of its box
FOLDERS = {
    'home': '.', 'studio': 'studio', 'worn': 'worn', 'catalogue': 'catalogue', 'people': 'people', 'accessories': 'accessories',
    'shops': 'shops'}
# Sets of worn garments, which have a box or nothing, but no mask.
WORN_SETS = 'worn', 'catalogue', 'people', 'accessories', 'shops'
FINE_SETS = 'worn', 'people', 'shops'  # sets with more pixels than a canvas, whose garments get a second canvas from near
# Labels in shops' sets and their meaning here: two garments are a Set, cut-outs lie flat, mannequins count as people.
SHOP_WORDS = {'type': {'Several': 'Set'}, 'shown': {'Cutout': 'Flat', 'Mannequin': 'Worn'}}
COLOUR_WORDS = re.compile(
    r'\b(black|white|gr[ea]y|beige|brown|red|orange|yellow|green|blue|navy|purple|pink|multi\w*|cream|ivory|khaki|burgundy|rust|plus|size)\b')
ARRAYS = ['images', 'masks', 'hangers', 'rectangles']


def read_titles(photos):
    """Returns titles by id as sorted words without colours and sizes, so that variants of a garment have equal titles."""
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
    """Returns the rows of all sets. `row` is the index into the arrays. Rows of one `group` must stay in one split.

    A group is a sender, a showcase, a title or a product. Garments of FINE_SETS have a second row at the end with `near` set,
    whose canvas shows only the surroundings of their box.
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
    """Scales an image to CANVAS pixels on its longer side and centres it. Returns the canvas and (x, y, width, height)."""
    height, width = image.shape[:2]
    scale = CANVAS / max(height, width)
    inner_width, inner_height = round(width * scale), round(height * scale)
    x, y = (CANVAS - inner_width) // 2, (CANVAS - inner_height) // 2
    canvas = np.full((CANVAS, CANVAS) + image.shape[2:], outside, np.uint8)
    canvas[y:y + inner_height, x:x + inner_width] = cv2.resize(
        image, (inner_width, inner_height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    return canvas, (x, y, inner_width, inner_height)


def fill_holes(mask):
    """Fills background regions that do not touch the border."""
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    cv2.floodFill(padded, None, (0, 0), 255)
    return mask | ~padded[1:-1, 1:-1]


def hanger_zone(mask):
    """Returns the thin parts in the upper quarter of a hanging garment's mask: the hanger, and sometimes straps."""
    rows = np.flatnonzero(mask.any(axis=1))
    if len(rows) == 0:
        return np.zeros_like(mask)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (17, 17))
    thin = cv2.subtract(mask, cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel))
    thin[rows[0] + (rows[-1] - rows[0]) // 4:] = 0
    return cv2.dilate(thin, np.ones((5, 5), np.uint8))


def box_mask(shape, box):
    """Returns a mask of the box, for a worn garment without a mask."""
    mask = np.zeros(shape, np.uint8)
    height, width = shape
    x0, y0, x1, y1 = np.round(np.multiply(box, (width, height, width, height))).astype(int)
    mask[y0:y1, x0:x1] = 255
    return mask


def cut_near(image, mask, box):
    """Crops image and mask to the square around the box, NEAR times as large."""
    height, width = mask.shape
    x0, y0, x1, y1 = np.multiply(box, (width, height, width, height))
    half, middle = NEAR * max(x1 - x0, y1 - y0) / 2, ((x0 + x1) / 2, (y0 + y1) / 2)
    left, top = (max(0, round(centre - half)) for centre in middle)
    right, bottom = (min(end, round(centre + half)) for centre, end in zip(middle, (width, height)))
    return image[top:bottom, left:right], mask[top:bottom, left:right]


def load_arrays(photos, cache):
    """Returns images (n, CANVAS, CANVAS, 3), masks and hanger zones (n, CANVAS, CANVAS), and rectangles (n, 4).

    The first call decodes into .npy files in `cache`. Later calls map these files into memory.
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
