"""Pictures without a garment: painted-over photographs, stamps, text and plain backgrounds."""
import hashlib
import re
from pathlib import Path

import cv2
import numpy as np

from sets.data import CANVAS, OUTSIDE, SURE
from sets.splits import split_dev

STAMP_SIDE = 224  # longest side of a cached stamp in pixels
# Excluded: clothing, people, and folders that do not tell what their pictures show.
LEFT_OUT = re.compile(
    r'cloth|people|person|christmas|halloween|hat[_\-.s]|hat_|shoe|boot|sock|shirt|glove|mitten|helmet|scarf|crown|skirt'
    r'|dress|jacket|slipper|costume|armou?r|unsorted|special|callouts|icons?/|logos|tennis', re.IGNORECASE)
OPENCLIPART = ('animals', 'food', 'electronics', 'tools', 'plants', 'transportation', 'buildings', 'computer',
               'containers', 'decorations', 'recreation', 'science', 'education', 'office')


def part_of(name):
    """Returns 'train' (75 %), 'dev' (12 %) or 'test' by a hash of the file name."""
    value = int(hashlib.sha256(name.encode()).hexdigest(), 16) % 100
    return 'train' if value < 75 else 'dev' if value < 87 else 'test'


def load_stamps(folder, part, limit=900):
    """Returns RGBA stamps of STAMP_SIDE pixels from tuxpaint-stamps-default and openclipart-png below `folder`."""
    folder = Path(folder)
    tuxpaint = sorted((folder / 'tuxpaint/stamps').rglob('*.png'))
    clipart = [path for name in OPENCLIPART for path in sorted((folder / 'openclipart/png' / name).rglob('*.png'))]
    clipart = clipart[::max(1, len(clipart) // limit)]
    stamps = []
    for path in tuxpaint + clipart:
        name = str(path.relative_to(folder))
        if LEFT_OUT.search(name) or part_of(path.name) != part or path.stat().st_size > 600_000:
            continue
        image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if image is None or image.ndim != 3 or image.shape[2] != 4 or min(image.shape[:2]) < 24 or image.dtype != np.uint8:
            continue
        scale = STAMP_SIDE / max(image.shape[:2])
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        covered = (image[:, :, 3] > 128).mean()
        if covered > 0.08:
            stamps.append(np.ascontiguousarray(image[:, :, [2, 1, 0, 3]]))
    return stamps


def paint_over(image, mask, rectangle, generator):
    """Covers the garment by shifted and mirrored copies of its surroundings."""
    x, y, width, height = rectangle
    picture = image[y:y + height, x:x + width].copy()
    hole = cv2.dilate(mask[y:y + height, x:x + width], np.ones((15, 15), np.uint8)) > 0
    valid = ~hole
    rest = hole.copy()
    moves = [(dx, dy, flip) for dx in (-0.7, -0.5, -0.3, 0, 0.3, 0.5, 0.7) for dy in (-0.7, -0.5, -0.3, 0, 0.3, 0.5, 0.7)
             for flip in (None, 0, 1)]
    for move in generator.permutation(len(moves)):
        if rest.mean() < 0.02:
            break
        dx, dy, flip = moves[move]
        source, source_valid = (picture, valid) if flip is None else (cv2.flip(picture, flip), cv2.flip(valid.astype(np.uint8), flip) > 0)
        matrix = np.float32([[1, 0, dx * width], [0, 1, dy * height]])
        moved_valid = cv2.warpAffine(source_valid.astype(np.uint8), matrix, (width, height)) > 0
        use = rest & moved_valid
        if use.mean() < 0.02:
            continue
        moved = cv2.warpAffine(source, matrix, (width, height))
        picture[use] = moved[use]
        rest &= ~use
    if rest.any():
        small = cv2.resize(picture, (96, 96), interpolation=cv2.INTER_AREA)
        small_rest = cv2.resize(rest.astype(np.uint8), (96, 96), interpolation=cv2.INTER_NEAREST)
        filled = cv2.resize(cv2.inpaint(small, cv2.dilate(small_rest, np.ones((3, 3), np.uint8)), 3, cv2.INPAINT_TELEA), (width, height))
        noisy = np.clip(filled + generator.normal(0, 4, filled.shape), 0, 255).astype(np.uint8)
        picture[rest] = noisy[rest]
    seam = cv2.dilate(cv2.morphologyEx(hole.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), np.ones((5, 5), np.uint8)) > 0
    picture[seam] = cv2.GaussianBlur(picture, (0, 0), 2)[seam]
    canvas = np.full_like(image, OUTSIDE)
    canvas[y:y + height, x:x + width] = picture
    return canvas


def load_backgrounds(rows, arrays, cache, name, limit=1500, seed=3):
    """Returns painted-over photographs of the rows with sure masks of moderate size, cached as <name>.npy."""
    images, masks, _, rectangles = arrays
    path = Path(cache) / f'{name}.npy'
    usable = [row for row in rows if row['mask_unsure'] <= SURE and 0.1 < row['mask_share'] < 0.5]
    generator = np.random.default_rng(seed)
    usable = [usable[i] for i in sorted(generator.permutation(len(usable))[:limit])]
    if not path.exists():
        array = np.lib.format.open_memmap(path, mode='w+', dtype=np.uint8, shape=(len(usable), CANVAS, CANVAS, 3))
        for index, row in enumerate(usable):
            i = row['row']
            array[index] = paint_over(images[i], masks[i], rectangles[i], generator)
        array.flush()
    return np.load(path, mmap_mode='r'), rectangles[[row['row'] for row in usable]]


def load_train_backgrounds(rows, arrays, cache):
    """Returns the backgrounds of all trainings, which show no photograph of the dev people."""
    return load_backgrounds(split_dev(rows)[0], arrays, cache, 'backgrounds-train')


def plain_background(generator):
    """Draws one colour, a gradient, stripes or noise."""
    first, second = generator.integers(0, 256, (2, 3)).astype(np.float32)
    kind = generator.integers(4)
    axis = np.linspace(0, 1, CANVAS, dtype=np.float32)
    if kind == 0:
        ramp = np.zeros((CANVAS, CANVAS), np.float32)
    elif kind == 1:
        turn = generator.uniform(0, 2 * np.pi)
        ramp = np.cos(turn) * axis[None] + np.sin(turn) * axis[:, None]
    elif kind == 2:
        turn, waves = generator.uniform(0, 2 * np.pi), generator.uniform(3, 40)
        ramp = (np.sin(2 * np.pi * waves * (np.cos(turn) * axis[None] + np.sin(turn) * axis[:, None])) > 0).astype(np.float32)
    else:
        side = int(generator.choice([4, 16, 64, CANVAS]))
        ramp = cv2.resize(generator.random((side, side), np.float32), (CANVAS, CANVAS), interpolation=cv2.INTER_CUBIC)
    image = first + (second - first) * ramp[:, :, None] + generator.normal(0, generator.uniform(0, 8), (CANVAS, CANVAS, 1))
    return np.clip(image, 0, 255).astype(np.uint8)


def text_page(generator):
    """Draws lines of text, as on receipts and screens."""
    paper = generator.integers(180, 256, 3) if generator.random() < 0.8 else generator.integers(0, 70, 3)
    ink = 255 - paper if generator.random() < 0.3 else generator.integers(0, 90, 3) if paper.mean() > 128 else generator.integers(180, 256, 3)
    image = np.empty((CANVAS, CANVAS, 3), np.uint8)
    image[:] = paper
    size, left = generator.uniform(0.3, 1.2), int(generator.integers(5, 60))
    y, letters = int(generator.integers(15, 60)), np.array(list('abcdefghiklmnoprstuvwz ABCDERST 0123456789 .,  '))
    while y < CANVAS - 10:
        line = ''.join(generator.choice(letters, int(generator.integers(3, 45 / size))))
        cv2.putText(image, line, (left, y), int(generator.integers(0, 5)), size, [int(c) for c in ink], 1, cv2.LINE_AA)
        y += int(size * generator.uniform(25, 45))
    return image
