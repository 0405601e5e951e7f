"""Training views of outlines: corrected masks, and garments pasted with drawn hangers, hands and shadows."""
import cv2
import numpy as np
import torch

from samples.augment import Sampler
from samples.compose import lay_over
from samples.dolls import SKINS
from samples.light import relight, wall
from samples.views import box_of, render, halved, to_batch
from sets.classes import FAMILY_OF
from sets.data import CANVAS, OUTSIDE, SURE

# Shares of sources in a batch.
SOURCES = {'marked': 0.26, 'home': 0.16, 'strap': 0.10, 'studio': 0.29, 'bag': 0.03, 'worn': 0.05, 'doll': 0.04, 'negative': 0.05, 'several': 0.02}
STRAPPED = {'Tank Top', 'Dress', 'Jumpsuit', 'Bodysuit', 'Underwear', 'Swimwear', 'Sandals', 'Heels'}  # types with thin parts
PASTE_SHARE = {'home': 0.6, 'studio': 0.8}  # share of pasteable photographs that are pasted
HUNG_SHARE, HAND_SHARE, HARD_SHADOW_SHARE, CAMOUFLAGE_SHARE = 0.45, 0.15, 0.3, 0.15
EDGE_WEIGHT, HANGER_WEIGHT, STRAP_WEIGHT = 2.0, 2.0, 4.0  # additional weights of pixels at the garment's edge, on hangers and on the garment's thin parts
STRAP_WIDTH = 9  # width in pixels below which a part of the garment is thin
FAMILIES_BELOW = {'Trousers', 'Shorts', 'Skirt'}  # hang from clips at the waist
METALS = [(70, 70, 72), (150, 150, 155), (200, 200, 205), (40, 38, 36)]
HANGERS = [(20, 20, 22), (235, 235, 230), (190, 140, 90), (150, 100, 60), (215, 175, 125), (60, 60, 70), (120, 120, 125), (40, 70, 150), (200, 90, 130)]


class OutlineSampler(Sampler):
    """Makes samples: (image, masks of garment, hanger and person (h, w, 3), pixel weights (h, w, 3)). Masks have half the image's size.

    `corrected` maps rows to (garment mask, hanger mask, ignored pixels) on the canvas, as read by sets/outlines.py.
    """

    def __init__(self, rows, arrays, backgrounds, stamps, corrected, seed):
        super().__init__(rows, arrays, backgrounds, stamps, seed)
        self.corrected = corrected
        by_row = {row['row']: row for row in rows}
        self.sources = {
            'marked': [by_row[index] for index in corrected if index in by_row and by_row[index]['set'] == 'home'],
            'bag': [by_row[index] for index in corrected if index in by_row and by_row[index]['set'] != 'home'],
            'home': [row for row in rows if row['source'] == 'home' and row['row'] not in corrected],
            'strap': [row for row in rows if row['source'] == 'home' and row['row'] not in corrected and row['type'] in STRAPPED and row['shown'] == 'Flat' and row['mask_unsure'] <= SURE],
            'studio': [row for row in rows if row['source'] == 'studio' and row['mask_unsure'] <= SURE],
            'worn': [row for row in rows if row['source'] == 'worn' and row['set'] != 'accessories']}
        self.shares = {name: share for name, share in SOURCES.items() if self.sources.get(name, True)}

    def draw(self):
        """Makes a sample of a source chosen at random."""
        shares = np.array(list(self.shares.values()))
        source = str(self.generator.choice(list(self.shares), p=shares / shares.sum()))
        if source in ('marked', 'bag', 'home', 'strap', 'studio'):
            rows = self.sources[source]
            return self.garment(rows[self.generator.integers(len(rows))])
        rows = self.sources.get(source)
        image, mask, valid, weight, *_ = self.worn(rows[self.generator.integers(len(rows))]) if rows else getattr(self, source)()
        classes, weights = np.zeros(mask.shape + (3,), np.uint8), np.zeros(mask.shape + (3,), np.float32)
        classes[:, :, 0], weights[:, :, 0] = mask, valid * weight
        if source in ('negative', 'several'):
            weights[:, :, 1:] = valid[:, :, None]
        return image, classes, weights

    def garment(self, row):
        g, index = self.generator, row['row']
        if index in self.corrected:
            mask, hanger, ignore = self.corrected[index]
        else:
            mask, hanger = self.masks[index], np.zeros((CANVAS, CANVAS), np.uint8)
            ignore = self.hangers[index] if row['set'] == 'home' and row['shown'] == 'Hanging' else hanger
        can_paste = index in self.pasteable_rows or row['set'] not in PASTE_SHARE or (index in self.corrected and not hanger.any() and not ignore.any())
        if can_paste and g.random() < PASTE_SHARE.get(row['set'], 0.7):
            image, mask, hanger, person = self.compose(row, mask)
            return self.finish(image, mask, hanger, person, np.zeros_like(mask), 1.0)
        weight = 1.0 if index in self.corrected or row['mask_unsure'] <= SURE else 0.4
        return self.finish(self.images[index], mask, hanger, np.zeros_like(mask), ignore, weight)

    def compose(self, row, mask):
        """Pastes a garment on a wall or floor with a hanger, a hand or a hard shadow. Returns image, garment, hanger and person."""
        g, own = self.generator, np.ascontiguousarray(mask)
        x0, y0, x1, y1 = box_of(own)
        is_hung = row['type'] and FAMILY_OF.get(row['type']) not in (None, 'Shoes', 'Hat', 'Bag') and g.random() < HUNG_SHARE
        head = 0.16 * (y1 - y0) + 0.1 * (x1 - x0) if is_hung else 0
        matrix = self.composer.tilted(self.composer.place((x0, y0 - head, x1, y1), 0.5, 0.95), 0.05)
        canvas, _ = self.composer.ground() if not is_hung or g.random() < 0.4 else self.composer.letterbox(wall(g))
        garment = warp(self.images[row['row']], matrix)
        warped = warp(own, matrix)
        if g.random() < CAMOUFLAGE_SHARE:  # a wall that nearly has the garment's colour
            colour = garment[warped > 127].mean(axis=0) if (warped > 127).any() else np.full(3, 200.0)
            ramp = np.linspace(-1, 1, CANVAS, dtype=np.float32)[:, None, None] * np.float32(g.uniform(-25, 25))
            canvas = self.composer.letterbox(np.clip(colour + g.normal(0, 9, 3) + ramp + np.zeros((1, CANVAS, 1)), 0, 255).astype(np.uint8))[0]
        behind, front = draw_hanger(g, own, FAMILY_OF.get(row['type']) in FAMILIES_BELOW) if is_hung else (None, None)
        hanger = np.zeros((CANVAS, CANVAS), np.uint8)
        if is_hung:
            behind, front = warp(behind, matrix), warp(front, matrix)
            canvas = lay_over(canvas, behind[:, :, :3], behind[:, :, 3], soft=False)
            hanger = np.minimum(behind[:, :, 3], 255 - warped)
        if g.random() < HARD_SHADOW_SHARE:
            shift = np.float32([[1, 0, g.uniform(-18, 18)], [0, 1, g.uniform(-4, 22)]])
            shadow = cv2.GaussianBlur(cv2.warpAffine(warped, shift, (CANVAS, CANVAS)), (0, 0), g.uniform(0.8, 5))
            canvas = (canvas * (1 - shadow[:, :, None] / 255 * g.uniform(0.25, 0.75))).astype(np.uint8)
        canvas, garment_mask = self.composer.lay(canvas, np.zeros_like(warped), self.images[row['row']], own, matrix)
        if is_hung:
            canvas = lay_over(canvas, front[:, :, :3], front[:, :, 3], soft=False)
            hanger = np.maximum(hanger, front[:, :, 3])
            garment_mask = np.minimum(garment_mask, 255 - front[:, :, 3])
        person = np.zeros_like(hanger)
        if g.random() < HAND_SHARE:
            hand = draw_hand(g, warped)
            canvas, person = lay_over(canvas, hand[:, :, :3], hand[:, :, 3], soft=False), hand[:, :, 3]
            garment_mask, hanger = np.minimum(garment_mask, 255 - person), np.minimum(hanger, 255 - person)
        elif g.random() < 0.15:
            canvas = self.composer.stamp(canvas, 0.1, 0.25, cv2.dilate(np.maximum(garment_mask, hanger), np.ones((5, 5), np.uint8)))
        return canvas, garment_mask, hanger, person

    def finish(self, canvas, mask, hanger, person, ignore, weight):
        """Renders a view: the whole canvas, or the garment's surroundings as at inference."""
        g, size = self.generator, self.size
        matrix = self.choose_view(box_of(mask) if self.is_near(0.75) else None)
        half = halved(matrix)
        image = render(canvas, matrix, size, (OUTSIDE,) * 3)
        classes = render(np.dstack([mask, hanger, person]), half, size // 2, 0)
        valid = np.ones((size // 2, size // 2), np.float32)
        image = relight(image, valid, g)
        valid *= 1 - (render(ignore, half, size // 2, 0) > 0)
        edge = cv2.morphologyEx(classes[:, :, 0], cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8)) > 127
        base, garment = valid * np.float32(weight), classes[:, :, 0]
        round_part = cv2.morphologyEx(garment, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (STRAP_WIDTH, STRAP_WIDTH)))
        emphasis = base * (1 + EDGE_WEIGHT * edge + HANGER_WEIGHT * (classes[:, :, 1] > 127) + STRAP_WEIGHT * (cv2.subtract(garment, round_part) > 127))
        return image, classes, np.dstack([emphasis, base, base])


def warp(layer, matrix):
    return cv2.warpPerspective(layer, matrix, (CANVAS, CANVAS))


def shaded(generator, colour):
    return [int(v) for v in np.clip(np.multiply(colour, generator.uniform(0.8, 1.15)), 0, 255)]


def draw_hanger(generator, mask, is_clipped):
    """Draws a hanger for a garment on its canvas. Returns RGBA layers: what lies behind the garment, and what lies in front of it."""
    g = generator
    x0, y0, x1, y1 = box_of(mask)
    width, middle = x1 - x0, (x0 + x1) / 2
    column = np.flatnonzero(mask[:, int(np.clip(middle, 0, CANVAS - 1))] > 127)
    neck = column[0] if len(column) else y0
    behind, front = np.zeros((CANVAS * 3 // 2, CANVAS, 4), np.uint8), np.zeros((CANVAS * 3 // 2, CANVAS, 4), np.uint8)
    lift = CANVAS // 2  # rows above the canvas, which the hook may reach
    colour, metal = shaded(g, HANGERS[g.integers(len(HANGERS))]), shaded(g, METALS[g.integers(len(METALS))])
    light = [min(255, v + 28) for v in colour]
    thick = max(1, int(width * (g.uniform(0.008, 0.02) if g.random() < 0.3 else g.uniform(0.025, 0.075))))
    top = (y0 if is_clipped else min(neck, y0 + 0.06 * (y1 - y0))) - width * g.uniform(0.0, 0.09)

    def at(x, y):
        return int(x), int(y + lift)

    def stroke(layer, points, shade, wide):
        cv2.polylines(layer, [np.array([at(*p) for p in points], np.int32)], False, shade + [255], wide, cv2.LINE_AA)

    reach, drop = width * g.uniform(0.3, 0.47), width * g.uniform(0.07, 0.2)
    if is_clipped:
        bar = y0 - width * g.uniform(0.02, 0.12)
        stroke(behind, [(middle - reach, bar), (middle + reach, bar)], metal if g.random() < 0.6 else colour, thick)
        for side in (-1, 1):
            x, wide, high = middle + side * reach * g.uniform(0.75, 1), width * g.uniform(0.03, 0.06), width * g.uniform(0.05, 0.12)
            cv2.rectangle(front, at(x - wide / 2, bar - 0.3 * high), at(x + wide / 2, y0 + high * 0.6), colour + [255], -1)
        top = bar
    else:
        arms = [(middle - reach, top + drop), (middle - 0.4 * reach, top + 0.22 * drop), (middle, top), (middle + 0.4 * reach, top + 0.22 * drop), (middle + reach, top + drop)]
        layers = [behind]
        if neck - y0 < 0.12 * (y1 - y0):  # a closed back neckline: the arms lie in front of its inside
            layers.append(front)
        for layer in layers:
            stroke(layer, arms, colour, thick)
            if thick > 3:
                stroke(layer, [(x, y - thick / 4) for x, y in arms], light, max(1, thick // 4))
        if g.random() < 0.35:
            stroke(behind, [(middle - 0.9 * reach, top + drop), (middle + 0.9 * reach, top + drop)], colour, max(1, thick // 2))
        if len(layers) == 2:  # the front of the garment hides all but the neck opening
            opening = np.zeros(front.shape[:2], np.uint8)
            radius = (int(width * g.uniform(0.07, 0.13)), int(width * g.uniform(0.03, 0.09)))
            cv2.ellipse(opening, at(middle, neck), radius, 0, 0, 360, 255, -1)
            front[:, :, 3] = np.minimum(front[:, :, 3], opening)
    radius, wide = width * g.uniform(0.03, 0.06), max(1, int(width * g.uniform(0.008, 0.02)))
    high = top - width * g.uniform(0.05, 0.12)
    side = 1 if g.random() < 0.5 else -1
    hook = [(middle + side * (radius - radius * np.cos(a)), high - radius * np.sin(a)) for a in np.linspace(0, np.pi * 1.25, 12)]
    stroke(behind, [(middle, top + 1), (middle, high), *hook], metal if g.random() < 0.8 else colour, wide)
    return behind[lift:lift + CANVAS], front[lift:lift + CANVAS]


def draw_hand(generator, mask):
    """Draws a hand that holds the garment at a random place of its upper edge. Returns an RGBA layer."""
    g, layer = generator, np.zeros((CANVAS, CANVAS, 4), np.uint8)
    x0, y0, x1, y1 = box_of(mask) or (100, 100, 280, 280)
    skin = shaded(g, SKINS[g.integers(len(SKINS))])
    x = int(g.uniform(x0, x1 - 1))
    column = np.flatnonzero(mask[:, np.clip(x, 0, CANVAS - 1)] > 127)
    y = int(column[0] if len(column) and g.random() < 0.8 else g.uniform(y0, y1))
    unit = max(x1 - x0, y1 - y0) * g.uniform(0.03, 0.06)
    turn = g.uniform(0, 2 * np.pi)
    away = np.array([np.cos(turn), np.sin(turn)])
    palm = np.array([x, y]) + away * unit * 1.2
    cv2.line(layer, tuple(int(v) for v in palm), tuple(int(v) for v in palm + away * unit * g.uniform(4, 9)), skin + [255], int(unit * 1.7), cv2.LINE_AA)
    cv2.ellipse(layer, tuple(int(v) for v in palm), (int(unit * 1.3), int(unit)), np.rad2deg(turn), 0, 360, skin + [255], -1, cv2.LINE_AA)
    for finger in np.linspace(-0.7, 0.7, 4):
        tip = np.array([x, y]) - np.array([np.cos(turn + finger), np.sin(turn + finger)]) * unit * g.uniform(0.5, 1.6)
        darker = [int(v * g.uniform(0.85, 1)) for v in skin]
        cv2.line(layer, tuple(int(v) for v in palm), tuple(int(v) for v in tip), darker + [255], max(1, int(unit * 0.5)), cv2.LINE_AA)
    return layer


def make_outline_batch(sampler, size):
    """Returns (images (n, 3, s, s), class targets (n, 3, s/2, s/2) in [0, 1], weights of the same shape)."""
    samples = [sampler.draw() for _ in range(size)]
    targets, weights = (torch.from_numpy(np.stack([sample[at] for sample in samples])).permute(0, 3, 1, 2).float() for at in (1, 2))
    return to_batch([sample[0] for sample in samples]), targets / 255, weights
