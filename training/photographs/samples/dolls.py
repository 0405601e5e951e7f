"""Paper dolls: flat garments laid on a drawn figure, as a substitute for worn garments."""
import cv2
import numpy as np

from sets.classes import FAMILY_OF
from sets.data import CANVAS
from samples.compose import lay_over
from samples.light import wall
from samples.views import box_of

UPPER = {'Tops of jersey', 'Shirts and blouses', 'Knitwear and sweats', 'Outerwear'}
LOWER = {'Trousers', 'Shorts', 'Skirt'}
WHOLE = {'Dress', 'Jumpsuit'}
SKINS = [(255, 224, 196), (241, 194, 158), (224, 172, 130), (198, 134, 96), (141, 85, 54), (90, 56, 37)]
HAIRS = [(30, 25, 22), (70, 45, 30), (120, 85, 50), (190, 155, 100), (90, 90, 90)]
# Top and bottom of each kind of garment, in head heights below the chin. The figure is about six heads tall.
SPANS = {'upper': (0.25, 2.9), 'Outerwear': (0.2, 3.3), 'Trousers': (2.1, 6.3), 'Shorts': (2.1, 3.8), 'Skirt': (2.1, 4.2), 'Dress': (0.3, 4.3), 'Jumpsuit': (0.3, 6.2)}


def sort_rows(rows):
    """Groups rows by the part of the body that the garment covers."""
    parts = {'upper': [], 'lower': [], 'whole': []}
    for row in rows:
        family = FAMILY_OF.get(row['type'])
        name = 'upper' if family in UPPER else 'lower' if family in LOWER else 'whole' if family in WHOLE else None
        if name:
            parts[name].append(row)
    return parts


class DollMaker:
    """Draws dressed figures as (canvas, mask of the labelled garment, row of that garment)."""

    def __init__(self, rows, composer):
        self.parts, self.composer, self.generator = sort_rows(rows), composer, composer.generator

    def pick(self, part):
        own = self.parts[part]
        return own[self.generator.integers(len(own))]

    def make(self):
        g = self.generator
        canvas = self.composer.letterbox(wall(g))[0] if g.random() < 0.65 else self.composer.background()[0]
        head = CANVAS * g.uniform(0.105, 0.16)  # height of the head
        x, chin = CANVAS / 2 + g.normal(0, 0.05 * CANVAS), head * g.uniform(0.6, 1.25)
        canvas = self.figure(canvas, x, chin, head)
        if g.random() < 0.2:
            worn = [self.pick('whole')]
        else:
            worn = [self.pick('lower'), self.pick('upper')]
        meant, masks = int(g.random() < 0.6) if len(worn) == 2 else 0, []
        for row in worn[::-1] if g.random() < 0.2 else worn:  # sometimes the top is tucked in
            canvas, own = self.dress(canvas, row, x, chin, head)
            masks = [(other_row, cv2.subtract(mask, own)) for other_row, mask in masks] + [(row, own)]
        mask = next(mask for row, mask in masks if row is worn[meant])
        return canvas, mask, worn[meant]

    def dress(self, canvas, row, x, chin, head):
        """Lays the garment over its part of the body, narrower than when it lies flat. Returns the canvas and its mask."""
        g, index = self.generator, row['row']
        x0, y0, x1, y1 = box_of(self.composer.masks[index])
        family = FAMILY_OF[row['type']]
        top, bottom = SPANS.get(family, SPANS['upper'])
        high = (bottom - top) * head * g.uniform(0.85, 1.1)
        scale = high / (y1 - y0)
        wide = min(scale * g.uniform(0.7, 1.0), 4.6 * head / (x1 - x0))
        turn, shear = g.normal(0, 0.03), g.normal(0, 0.05)
        matrix = np.array([[wide * (-1 if g.random() < 0.5 else 1), shear * scale, 0], [turn * scale, scale, 0]])
        matrix[:, 2] = (x, chin + top * head + high / 2) - matrix[:, :2] @ ((x0 + x1) / 2, (y0 + y1) / 2)
        matrix = self.composer.tilted(matrix, 0.02)
        garment = cv2.warpPerspective(self.composer.images[index], matrix, (CANVAS, CANVAS))
        own = cv2.warpPerspective(self.composer.masks[index], matrix, (CANVAS, CANVAS))
        return lay_over(canvas, garment, own), own

    def figure(self, canvas, x, chin, head):
        """Draws head, hair, neck, arms, legs and shoes."""
        g = self.generator
        skin = [int(v) for v in np.clip(np.multiply(SKINS[g.integers(len(SKINS))], g.uniform(0.85, 1.08)), 0, 255)]
        hair = [int(v) for v in HAIRS[g.integers(len(HAIRS))]]
        shoe = [int(v) for v in g.integers(0, 256, 3)]
        canvas, thick = np.ascontiguousarray(canvas), lambda share: max(2, int(share * head))

        def at(dx, dy):
            return int(x + dx * head), int(chin + dy * head)

        if g.random() < 0.6:  # long hair
            cv2.ellipse(canvas, at(0, -0.3), (thick(0.5), thick(g.uniform(0.7, 1.3))), 0, 0, 360, hair, -1, cv2.LINE_AA)
        for side in (-1, 1):
            elbow, hand = at(side * g.uniform(0.8, 1.5), 1.6), at(side * g.uniform(0.6, 1.7), g.uniform(2.3, 3.2))
            cv2.line(canvas, at(side * 0.75, 0.4), elbow, skin, thick(0.3), cv2.LINE_AA)
            cv2.line(canvas, elbow, hand, skin, thick(0.24), cv2.LINE_AA)
            cv2.circle(canvas, hand, thick(0.17), skin, -1, cv2.LINE_AA)
            foot = at(side * g.uniform(0.2, 0.6), 6.3)
            cv2.line(canvas, at(side * 0.35, 2.6), foot, skin, thick(0.38), cv2.LINE_AA)
            cv2.ellipse(canvas, foot, (thick(0.24), thick(0.32)), 0, 0, 360, shoe, -1, cv2.LINE_AA)
        cv2.rectangle(canvas, at(-0.7, 0.3), at(0.7, 2.9), skin, -1)
        cv2.line(canvas, at(0, -0.2), at(0, 0.5), skin, thick(0.42), cv2.LINE_AA)
        cv2.ellipse(canvas, at(0, -0.45), (thick(0.36), thick(0.5)), 0, 0, 360, skin, -1, cv2.LINE_AA)
        cv2.ellipse(canvas, at(0, -0.68), (thick(0.4), thick(0.34)), 0, 180, 360, hair, -1, cv2.LINE_AA)
        return cv2.GaussianBlur(canvas, (3, 3), 0.7)
