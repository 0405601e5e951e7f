"""Photographs, labels and masks as fixed-size arrays, and the split by sender."""
import csv
import random
from pathlib import Path

import cv2
import numpy as np

CANVAS = 384  # pixels; every photograph lies centred in a square of this side
OUTSIDE = 128  # grey level of the canvas around the photograph
SURE, FAIRLY_SURE = 0.12, 0.25  # limits of mask_unsure, see the data's README

TYPES = [
    'T-Shirt', 'Long-Sleeve T-Shirt', 'Tank Top', 'Polo Shirt', 'Bodysuit', 'Shirt', 'Blouse', 'Jumper', 'Cardigan',
    'Sweatshirt', 'Hoodie', 'Jacket', 'Coat', 'Blazer', 'Waistcoat', 'Dress', 'Jumpsuit', 'Trousers', 'Jeans', 'Joggers',
    'Leggings', 'Shorts', 'Skirt', 'Hat', 'Shoes', 'Trainers', 'Boots', 'Sandals', 'Heels', 'Slippers', 'Bag']
PATTERNS = [
    'Plain', 'Graphic', 'Printed', 'Striped', 'Floral', 'Checked', 'Colour Block', 'Knit', 'Dotted', 'Animal', 'Camouflage']
CLOSURES = [
    'None', 'Buttons', 'Fly', 'Zip', 'Elastic', 'Placket', 'Slip-On', 'Drawstring', 'Buckle', 'Snap', 'Lace', 'Half Zip']
SLEEVES = ['None', 'Short', 'Three-Quarter', 'Long']
COLOURS = [
    'Black', 'White', 'Grey', 'Navy', 'Blue', 'Turquoise', 'Green', 'Yellow', 'Orange', 'Red', 'Pink', 'Purple', 'Brown',
    'Beige', 'Multi']
PRESENCE = ['None', 'One', 'Several']
SHOWN = ['Flat', 'Hanging', 'Folded', 'Cut', 'Worn']
HEADS = {
    'type': TYPES, 'pattern': PATTERNS, 'closure': CLOSURES, 'sleeve': SLEEVES, 'colour': COLOURS, 'presence': PRESENCE,
    'shown': SHOWN}
# Trained beside the heads because they teach the body something; not exported.
AUXILIARY = {
    'source_label': [
        'T-Shirt', 'Longsleeve', 'Pants', 'Shoes', 'Shirt', 'Dress', 'Shorts', 'Outwear', 'Hat', 'Skirt', 'Undershirt',
        'Polo', 'Blazer', 'Hoodie', 'Body', 'Top', 'Blouse'],
    'kids': ['0', '1']}
ALL_HEADS = HEADS | AUXILIARY

FAMILIES = {
    'Tops of jersey': ['T-Shirt', 'Long-Sleeve T-Shirt', 'Tank Top', 'Polo Shirt', 'Bodysuit'],
    'Shirts and blouses': ['Shirt', 'Blouse'],
    'Knitwear and sweats': ['Jumper', 'Cardigan', 'Sweatshirt', 'Hoodie'],
    'Outerwear': ['Jacket', 'Coat', 'Blazer', 'Waistcoat'],
    'Dress': ['Dress'],
    'Jumpsuit': ['Jumpsuit'],
    'Trousers': ['Trousers', 'Jeans', 'Joggers', 'Leggings'],
    'Shorts': ['Shorts'],
    'Skirt': ['Skirt'],
    'Hat': ['Hat'],
    'Bag': ['Bag'],
    'Footwear': ['Shoes', 'Trainers', 'Boots', 'Sandals', 'Heels', 'Slippers']}
FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names}


def read_labels(photos):
    """Rows of labels.csv in file order, numbers parsed, with `row` as the index into the arrays."""
    with open(Path(photos) / 'labels.csv', newline='') as file:
        rows = list(csv.DictReader(file))
    for index, row in enumerate(rows):
        row['row'] = index
        row['unsure'] = int(row['unsure'])
        row['mask_share'] = float(row['mask_share'] or 0)
        row['mask_unsure'] = float(row['mask_unsure'] or 1)
    return rows


def class_index(row, head):
    """The label's index in its head, or -1 where it is missing, not visible or not one of the classes."""
    if head == 'presence':
        return PRESENCE.index('Several') if row['type'] == 'Several' else PRESENCE.index('One')
    classes = ALL_HEADS[head]
    return classes.index(row[head]) if row[head] in classes else -1


def split_dev(rows, share=0.12, largest=60, seed=7, tries=400):
    """Splits the training rows by sender into (rest, dev).

    Only senders of at most `largest` photographs may go to dev, so that it has many people. Of `tries` random draws
    takes the one whose types are distributed most like those of all training rows.
    """
    train = [row for row in rows if row['split'] == 'train']
    by_sender = {}
    for row in train:
        by_sender.setdefault(row['sender'], []).append(row)
    small = sorted(sender for sender, own in by_sender.items() if len(own) <= largest)
    target = type_shares(train)
    generator = random.Random(seed)
    best, best_distance = None, np.inf
    for _ in range(tries):
        generator.shuffle(small)
        chosen, count = set(), 0
        for sender in small:
            if count + len(by_sender[sender]) <= share * len(train):
                chosen.add(sender)
                count += len(by_sender[sender])
        distance = np.abs(type_shares([row for row in train if row['sender'] in chosen]) - target).sum()
        if distance < best_distance:
            best, best_distance = chosen, distance
    return [row for row in train if row['sender'] not in best], [row for row in train if row['sender'] in best]


def calibration_part(dev):
    """The half of the dev people (even numbers) that no phase trains on."""
    return [row for row in dev if int(row['sender']) % 2 == 0]


def type_shares(rows):
    counts = np.bincount([index for row in rows if (index := class_index(row, 'type')) >= 0], minlength=len(TYPES))
    return counts / max(1, counts.sum())


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


def load_arrays(photos, cache):
    """Photographs (n, CANVAS, CANVAS, 3), masks and hanger zones (n, CANVAS, CANVAS), rectangles (n, 4).

    Decodes once into .npy files in `cache`; later calls map these files into memory.
    """
    cache = Path(cache)
    names = ['images', 'masks', 'hangers', 'rectangles']
    if not (cache / 'rectangles.npy').exists():
        cache.mkdir(parents=True, exist_ok=True)
        rows = read_labels(photos)
        shape = (len(rows), CANVAS, CANVAS)
        images, masks, hangers = [
            np.lib.format.open_memmap(cache / f'{name}.npy', mode='w+', dtype=np.uint8, shape=size)
            for name, size in (('images', shape + (3,)), ('masks', shape), ('hangers', shape))]
        rectangles = np.zeros((len(rows), 4), np.int32)
        for row in rows:
            index = row['row']
            image = cv2.imread(str(Path(photos) / 'images' / f"{row['id']}.jpg"))[:, :, ::-1]
            mask = cv2.imread(str(Path(photos) / 'masks' / f"{row['id']}.png"), cv2.IMREAD_GRAYSCALE)
            images[index], rectangles[index] = to_canvas(np.ascontiguousarray(image), OUTSIDE)
            mask, _ = to_canvas(mask, 0)
            masks[index] = fill_holes(mask) if row['mask_unsure'] > SURE else mask
            if row['shown'] == 'Hanging':
                hangers[index] = hanger_zone(mask)
        for array in (images, masks, hangers):
            array.flush()
        np.save(cache / 'rectangles.npy', rectangles)
    return [np.load(cache / f'{name}.npy', mmap_mode='r') for name in names]
