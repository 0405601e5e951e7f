"""Training samples: photographs, garments pasted on other backgrounds and on dolls, several garments, no garment."""
import numpy as np

from sets.classes import ALL_HEADS, COLOURS, FAMILY_OF, FITS, FITS_OF_FAMILY, PRESENCE, SHOWN, class_index
from samples.compose import Composer
from sets.data import CANVAS, FAIRLY_SURE, FINE_SETS, OUTSIDE, SURE
from samples.dolls import DollMaker
from samples.light import relight
from samples.views import CROP_MARGIN, box_of, halved, render, view_matrix

SMALLEST_SHARE = 0.04  # smaller masks are wrong or useless
PASTE_SHARE = {'home': 0.15, 'studio': 0.67, 'drawings': 0.0}  # share of pasteable photographs that are pasted
OWN_DOUBT = {'type': 'unsure', 'fabric': 'fabric_unsure', 'fit': 'fit_unsure'}  # columns that mark doubtful labels, which get half the weight
# Heads with half the weight for a whole set, because two readings of its labels agreed less.
SOFT_HEADS = {'catalogue': ('fabric', 'fit', 'neckline')}
THING_SHARE = 0.45  # share of photographs of jewellery and the like among pictures without a garment
BOX_WEIGHT, CORE = 0.4, 0.32  # outline weight if only a box is known, and the box's central part that must be garment


def class_targets(row):
    return {head: class_index(row, head) for head in ALL_HEADS}


def class_weights(row):
    general = 0.75 if row['unsure'] else 1.0
    soft = {head for head, doubt in OWN_DOUBT.items() if row.get(doubt)}.union(SOFT_HEADS.get(row['set'], ()))
    return {head: 0.5 if head in soft else general for head in ALL_HEADS}


class Sampler:
    """Makes training samples: (image, outline target, valid pixels, outline weight, class targets, class weights, row)."""

    def __init__(self, rows, arrays, backgrounds, stamps, seed):
        self.images, self.masks, self.hangers, _ = arrays
        self.generator = np.random.default_rng(seed)
        self.composer = Composer(arrays, backgrounds, stamps, self.generator)
        self.pasteable = [
            row for row in rows if row['set'] in ('home', 'studio') and row['mask_unsure'] <= 0.08
            and (row['shown'] == 'Flat' or row['set'] == 'studio') and 0.05 < row['mask_share'] < 0.8 and box_of(self.masks[row['row']])]
        self.pasteable_rows = {row['row'] for row in self.pasteable}
        self.dolls = DollMaker([row for row in self.pasteable if row['shown'] == 'Flat'], self.composer)
        self.things = [row for row in rows if row['source'] == 'thing']
        self.size = 160

    def sample(self, row):
        """Makes a sample of a row, or of a made-up source by its method's name."""
        if isinstance(row, str):
            return getattr(self, row)()
        return self.worn(row) if row['source'] == 'worn' else self.photograph(row)

    def photograph(self, row):
        g, index = self.generator, row['row']
        targets, ignore = class_targets(row), None
        if index in self.pasteable_rows and g.random() < PASTE_SHARE[row['set']]:
            canvas, mask = self.composer.ground() if row['set'] == 'studio' else self.composer.background()
            canvas, mask = self.composer.paste(canvas, mask, row)
            if g.random() < 0.2:
                canvas = self.composer.stamp(canvas, 0.1, 0.25, mask)
            weight = 1.0
            if row['shown'] != 'Flat':
                targets['shown'] = -1
        else:
            canvas, mask = self.images[index], self.masks[index]
            weight = 1.0 if row['mask_unsure'] <= SURE else 0.5 if row['mask_unsure'] <= FAIRLY_SURE else 0.0
            if row['mask_share'] < SMALLEST_SHARE:
                weight = 0.0
            ignore = self.hangers[index] if row['shown'] == 'Hanging' else None
        crop = box_of(mask) if row['mask_unsure'] <= FAIRLY_SURE and self.is_near(0.5) else None
        return self.view(canvas, mask, ignore, crop) + (weight, targets, class_weights(row), row)

    def worn(self, row):
        """Makes a sample of a photograph for which only the garment's box is known."""
        index = row['row']
        box = box_of(self.masks[index])
        core, rest = np.zeros((CANVAS, CANVAS), np.uint8), self.masks[index].copy()
        x0, y0, x1, y1 = box
        mx, my = (1 - CORE) / 2 * (x1 - x0), (1 - CORE) / 2 * (y1 - y0)
        inner = np.s_[int(y0 + my):int(y1 - my), int(x0 + mx):int(x1 - mx)]
        core[inner], rest[inner] = 255, 0
        crop = box if row['near'] or self.is_near(0.25 if row['set'] in FINE_SETS else 0.45) else None
        weight = BOX_WEIGHT if row['set'] != 'accessories' else 0.0  # accessories have no box
        return self.view(self.images[index], core, rest, crop, 2.0) + (weight, class_targets(row), class_weights(row), row)

    def doll(self):
        canvas, mask, row = self.dolls.make()
        box = box_of(mask)
        targets = class_targets(row) | {'shown': SHOWN.index('Worn'), 'fit': -1, 'closure': -1}
        return self.view(canvas, mask, None, box if self.is_near(0.6) else None, 1.5) + (1.0, targets, class_weights(row), row)

    def negative(self):
        targets = {head: -1 for head in ALL_HEADS} | {'presence': PRESENCE.index('None')}
        if self.things and self.is_near(THING_SHARE):
            index = self.things[self.generator.integers(len(self.things))]['row']
            canvas, mask = self.images[index], np.zeros((CANVAS, CANVAS), np.uint8)
        else:
            canvas, mask = self.composer.negative()
        return self.view(canvas, mask, None, None) + (1.0, targets, dict.fromkeys(ALL_HEADS, 1.0), None)

    def several(self):
        g = self.generator
        canvas, mask = self.composer.background()
        for _ in range(g.integers(2, 5)):
            canvas, mask = self.composer.paste(canvas, mask, self.pasteable[g.integers(len(self.pasteable))], 0.3, 0.55)
        targets = {head: -1 for head in ALL_HEADS} | {'presence': PRESENCE.index('Several')}
        return self.view(canvas, mask, None, None) + (1.0, targets, dict.fromkeys(ALL_HEADS, 1.0), None)

    def is_near(self, share):
        """Decides whether a view shows only the garment's surroundings, with probability `share`."""
        return self.generator.random() < share

    def choose_view(self, box, strength=1.0):
        """Returns a random map to a view of the whole canvas or of a box. `strength` scales the variation."""
        g, size = self.generator, self.size
        if box is None:
            centre = np.full(2, CANVAS / 2) + g.normal(0, 0.03 * CANVAS, 2)
            side = CANVAS * g.uniform(1.1 - 0.25 * strength, 1.1)
        else:
            x0, y0, x1, y1 = box
            longest = max(x1 - x0, y1 - y0)
            centre = np.array([(x0 + x1) / 2, (y0 + y1) / 2]) + g.normal(0, 0.03 * strength * longest, 2)
            side = longest * g.uniform(CROP_MARGIN - 0.1 * strength, CROP_MARGIN + 0.16 * strength)
        angle = np.deg2rad(g.uniform(-20, 20)) if g.random() < 0.7 else 0.0
        if g.random() < 0.04:
            angle += np.pi / 2 * g.integers(1, 4)
        return view_matrix(centre, side, size, angle, g.random() < 0.5)

    def view(self, canvas, mask, ignore, box, strength=1.0):
        g, size = self.generator, self.size
        matrix = self.choose_view(box, strength)
        image, half = render(canvas, matrix, size, (OUTSIDE,) * 3), halved(matrix)
        outline, valid = render(mask, half, size // 2, 0), np.ones((size // 2, size // 2), np.float32)
        if ignore is not None:
            valid -= render(ignore, half, size // 2, 0) > 0
        return relight(image, valid, g, min(strength, 1.5)), outline, valid


def colour_target(row):
    """Returns colour probabilities: a second labelled colour gets 0.3."""
    target = np.zeros(len(COLOURS), np.float32)
    if row is None or row['colour'] not in COLOURS:
        return target
    target[COLOURS.index(row['colour'])] = 1
    if row['colour2'] in COLOURS:
        target[COLOURS.index(row['colour'])] = 0.7
        target[COLOURS.index(row['colour2'])] += 0.3
    return target


def fit_mask(row):
    """Returns a mask of the fits that the row's type can have."""
    allowed = FITS_OF_FAMILY.get(FAMILY_OF.get(row['type']) if row else None, FITS)
    return np.array([fit in allowed for fit in FITS])
