"""Training samples: views of photographs, garments pasted on other backgrounds, several garments, negatives."""
import cv2
import numpy as np

from data import ALL_HEADS, CANVAS, COLOURS, FAIRLY_SURE, OUTSIDE, PRESENCE, SURE, class_index
from negatives import plain_background, text_page

SMALLEST_SHARE = 0.04  # smaller masks are mistakes of the mask maker or of no use
PASTE_SHARE = 0.15  # of the photographs that can be pasted
CROP_MARGIN = 1.12  # side of the second look's square, relative to the longer side of the outline's box


def box_of(mask, threshold=127):
    """(x0, y0, x1, y1) of the mask, or None where it is empty."""
    columns, rows = np.flatnonzero((mask > threshold).any(axis=0)), np.flatnonzero((mask > threshold).any(axis=1))
    return (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1) if len(rows) else None


def view_matrix(centre, side, size, angle=0.0, flip=False):
    """Affine map from canvas to a picture of `size` pixels that shows the square `side` around `centre`, turned by `angle` (radians)."""
    scale = size / side
    a, b = scale * np.cos(angle), scale * np.sin(angle)
    sign = -1 if flip else 1
    matrix = np.array([[sign * a, sign * b, 0], [-b, a, 0]])
    # Pixel centres lie at +0.5.
    matrix[:, 2] = size / 2 - 0.5 - matrix[:, :2] @ (np.asarray(centre) - 0.5)
    return matrix


def render(canvas, matrix, size, outside):
    """Applies the map; averages before shrinking so that fine patterns do not alias."""
    factor = 1 / np.sqrt(abs(np.linalg.det(matrix[:, :2])))
    if factor > 1.5:
        half = cv2.resize(canvas, (CANVAS // 2, CANVAS // 2), interpolation=cv2.INTER_AREA)
        inner = matrix.copy()
        inner[:, 2] += inner[:, :2] @ (0.5, 0.5)
        inner[:, :2] *= 2
        return cv2.warpAffine(half, inner, (size, size), borderValue=outside)
    return cv2.warpAffine(canvas, matrix, (size, size), borderValue=outside)


class Sampler:
    """Makes one training sample: image (size, size, 3) uint8, outline target, its weights, class targets."""

    def __init__(self, rows, arrays, backgrounds, stamps, size, seed):
        self.images, self.masks, self.hangers, self.rectangles = arrays
        self.backgrounds, self.background_rectangles = backgrounds
        self.rows, self.stamps, self.size = rows, stamps, size
        self.generator = np.random.default_rng(seed)
        self.pasteable = [
            row for row in rows if row['mask_unsure'] <= 0.08 and row['shown'] == 'Flat' and 0.05 < row['mask_share'] < 0.8
            and box_of(self.masks[row['row']])]
        self.pasteable_rows = {row['row'] for row in self.pasteable}

    def photograph(self, row):
        g, index = self.generator, row['row']
        if index in self.pasteable_rows and g.random() < PASTE_SHARE:
            canvas, mask = self.background()
            canvas, mask = self.paste(canvas, mask, row)
            if g.random() < 0.2:
                canvas = self.stamp(canvas, 0.1, 0.25, mask)
            weight, ignore = 1.0, None
        else:
            canvas, mask = self.images[index], self.masks[index]
            weight = 1.0 if row['mask_unsure'] <= SURE else 0.5 if row['mask_unsure'] <= FAIRLY_SURE else 0.0
            if row['mask_share'] < SMALLEST_SHARE:
                weight = 0.0
            ignore = self.hangers[index] if row['shown'] == 'Hanging' else None
        crop = row['mask_unsure'] <= FAIRLY_SURE and g.random() < 0.5
        targets = {head: class_index(row, head) for head in ALL_HEADS}
        return self.view(canvas, mask, ignore, crop) + (weight, targets, 0.5 if row['unsure'] else 1.0, row['colour2'])

    def negative_canvas(self):
        g, kind = self.generator, self.generator.random()
        if kind < 0.35:
            canvas, mask = self.background()
            for _ in range(g.integers(1, 4)):
                canvas = self.stamp(canvas, 0.2, 0.9, None)
        elif kind < 0.55:
            canvas, mask = self.letterbox(plain_background(g))
            for _ in range(g.integers(1, 3)):
                canvas = self.stamp(canvas, 0.3, 0.9, None)
        elif kind < 0.8:
            canvas, mask = self.background()
        elif kind < 0.9:
            canvas, mask = self.letterbox(plain_background(g))
        else:
            canvas, mask = self.letterbox(text_page(g))
        return canvas, mask

    def negative(self):
        targets = {head: -1 for head in ALL_HEADS} | {'presence': PRESENCE.index('None')}
        return self.view(*self.negative_canvas(), None, False) + (1.0, targets, 1.0, '')

    def several(self):
        g = self.generator
        canvas, mask = self.background()
        for _ in range(g.integers(2, 5)):
            canvas, mask = self.paste(canvas, mask, self.pasteable[g.integers(len(self.pasteable))], 0.3, 0.55)
        targets = {head: -1 for head in ALL_HEADS} | {'presence': PRESENCE.index('Several')}
        return self.view(canvas, mask, None, False) + (1.0, targets, 1.0, '')

    def letterbox(self, canvas):
        """Cuts a random rectangle's outside to the grey that surrounds photographs."""
        canvas, shape = canvas.copy(), self.generator.random()
        margin = CANVAS // 8
        if shape < 0.7:
            canvas[:, :margin] = canvas[:, -margin:] = OUTSIDE
        elif shape < 0.85:
            canvas[:margin] = canvas[-margin:] = OUTSIDE
        return canvas, np.zeros((CANVAS, CANVAS), np.uint8)

    def background(self):
        """A photograph without its garment: painted over, or a patch of it mirrored over the whole picture."""
        g, i = self.generator, self.generator.integers(len(self.backgrounds))
        canvas, (x, y, width, height) = self.backgrounds[i].copy(), self.background_rectangles[i]
        if g.random() < 0.5:
            part = g.uniform(0.25, 0.5)
            w, h = int(width * part), int(height * part)
            left, top = x + (0 if g.random() < 0.5 else width - w), y + (0 if g.random() < 0.5 else height - h)
            angle, scale = g.uniform(-0.5, 0.5), g.uniform(0.8, 1.8)
            matrix = view_matrix((w / 2, h / 2), max(width, height) / scale, max(width, height), angle)
            patch = np.ascontiguousarray(canvas[top:top + h, left:left + w])
            canvas[y:y + height, x:x + width] = cv2.warpAffine(patch, matrix, (int(width), int(height)), borderMode=cv2.BORDER_REFLECT_101)
        return canvas, np.zeros((CANVAS, CANVAS), np.uint8)

    def place(self, box, low, high):
        """A random map that lays the box on the middle of the canvas, its longer side `low` to `high` of the canvas."""
        g = self.generator
        x0, y0, x1, y1 = box
        scale = g.uniform(low, high) * CANVAS / max(x1 - x0, y1 - y0)
        reach = 0.5 * (1 - scale * max(x1 - x0, y1 - y0) / CANVAS) * CANVAS * 0.8
        matrix = view_matrix(((x0 + x1) / 2, (y0 + y1) / 2), CANVAS / scale, CANVAS, g.uniform(-0.35, 0.35), g.random() < 0.5)
        matrix[:, 2] += g.uniform(-reach, reach, 2)
        return matrix

    def paste(self, canvas, mask, row, low=0.45, high=0.9):
        g, index = self.generator, row['row']
        matrix = self.place(box_of(self.masks[index]), low, high)
        garment = cv2.warpAffine(self.images[index], matrix, (CANVAS, CANVAS))
        own = cv2.warpAffine(self.masks[index], matrix, (CANVAS, CANVAS))
        alpha = cv2.GaussianBlur(cv2.erode(own, np.ones((3, 3), np.uint8)), (0, 0), 0.8)[:, :, None].astype(np.float32) / 255
        if g.random() < 0.6:
            shift = np.float32([[1, 0, g.uniform(-6, 6)], [0, 1, g.uniform(-2, 8)]])
            shadow = cv2.GaussianBlur(cv2.warpAffine(own, shift, (CANVAS, CANVAS)), (0, 0), g.uniform(2, 8))
            canvas = canvas * (1 - g.uniform(0.1, 0.5) * shadow[:, :, None].astype(np.float32) / 255)
        mixed = canvas + alpha * (garment * np.float32(g.uniform(0.85, 1.15)) - canvas)
        return np.clip(mixed, 0, 255).astype(np.uint8), np.maximum(mask, own)

    def stamp(self, canvas, low, high, keep_off):
        """Lays a stamp on the canvas, behind what `keep_off` covers."""
        stamp = self.stamps[self.generator.integers(len(self.stamps))]
        warped = cv2.warpAffine(stamp, self.place((0, 0, stamp.shape[1], stamp.shape[0]), low, high), (CANVAS, CANVAS))
        alpha = warped[:, :, 3:].astype(np.float32) / 255
        if keep_off is not None:
            alpha = alpha * (keep_off < 20)[:, :, None]
        return (canvas + alpha * (warped[:, :, :3].astype(np.float32) - canvas)).astype(np.uint8)

    def view(self, canvas, mask, ignore, crop):
        g, size = self.generator, self.size
        box = box_of(mask) if crop else None
        if box is None:
            centre, side = np.full(2, CANVAS / 2) + g.normal(0, 0.03 * CANVAS, 2), CANVAS * g.uniform(0.85, 1.1)
        else:
            x0, y0, x1, y1 = box
            longest = max(x1 - x0, y1 - y0)
            centre = np.array([(x0 + x1) / 2, (y0 + y1) / 2]) + g.normal(0, 0.03 * longest, 2)
            side = longest * g.uniform(CROP_MARGIN - 0.1, CROP_MARGIN + 0.16)
        angle = np.deg2rad(g.uniform(-20, 20)) if g.random() < 0.7 else 0.0
        if g.random() < 0.04:
            angle += np.pi / 2 * g.integers(1, 4)
        matrix = view_matrix(centre, side, size, angle, g.random() < 0.5)
        image = render(canvas, matrix, size, (OUTSIDE,) * 3)
        half = matrix / 2
        half[:, 2] -= 0.25
        outline = render(mask, half, size // 2, 0)
        valid = np.ones((size // 2, size // 2), np.float32)
        if ignore is not None:
            valid -= render(ignore, half, size // 2, 0) > 0
        return self.light(image, valid), outline, valid

    def light(self, image, valid):
        """Exposure, contrast, tint, blur, noise and a random rectangle painted over."""
        g, size = self.generator, self.size
        levels = np.arange(256, dtype=np.float32) / 255
        gains = np.exp(g.normal(0, 0.12) + g.normal(0, 0.04, 3))
        gamma = np.exp(g.normal(0, 0.15))
        table = np.clip(levels[:, None] ** gamma * gains + g.normal(0, 0.02), 0, 1)
        image = cv2.LUT(image, (table * 255).astype(np.uint8)[:, None, :])
        if g.random() < 0.3:
            grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
            image = cv2.addWeighted(image, w := g.uniform(0.7, 1.25), grey, 1 - w, 0)
        if g.random() < 0.15:
            image = cv2.GaussianBlur(image, (0, 0), g.uniform(0.3, 1.1))
        if g.random() < 0.2:
            image = np.clip(image + g.normal(0, g.uniform(1, 8), image.shape), 0, 255).astype(np.uint8)
        if g.random() < 0.2:
            w, h = g.integers(size // 10, size // 3, 2)
            x, y = g.integers(0, size - w), g.integers(0, size - h)
            image[y:y + h, x:x + w] = g.integers(0, 256, 3)
            valid[y // 2:(y + h) // 2 + 1, x // 2:(x + w) // 2 + 1] = 0
        return image


def colour_target(colour, colour2):
    """Soft target: a second colour that one could as well call the main one gets 0.3."""
    target = np.zeros(len(COLOURS), np.float32)
    target[colour] = 1
    if colour2 in COLOURS:
        target[colour] = 0.7
        target[COLOURS.index(colour2)] += 0.3
    return target
