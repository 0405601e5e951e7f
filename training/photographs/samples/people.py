"""Photographs of people with other backgrounds, and with flat garments bent to their bodies: what shops' pictures of models are like."""
import cv2
import numpy as np

from samples.compose import lay_over
from samples.dolls import LOWER, UPPER, WHOLE
from samples.drape import points_of
from samples.dress import SKIRT_POINTS, TROUSER_POINTS, UPPER_POINTS, dress_lower, dress_upper, has
from samples.light import wall
from samples.views import box_of, view_matrix
from sets.classes import FAMILY_OF
from sets.data import CANVAS, OUTSIDE
from sets.points import OTHER_SIDE

JOINTS = {  # that a person must have to be dressed
    'upper': ['neckL', 'neckR', 'shoulderL', 'shoulderR', 'armpitL', 'armpitR', 'waistL', 'waistR'],
    'lower': ['waistL', 'waistR', 'hipL', 'hipR', 'crotch', 'kneeL', 'kneeR']}
FOCUS = {
    'upper': ('neck', 'shoulder', 'elbow', 'waist', 'hip'), 'whole': ('neck', 'shoulder', 'elbow', 'waist', 'hip', 'knee'),
    'lower': ('waist', 'hip', 'crotch', 'knee', 'ankle')}


def moved(joints, matrix):
    """Joints through a map between pixels; left and right change places where it mirrors."""
    flip = np.linalg.det(matrix[:, :2]) < 0
    return {
        name.translate(OTHER_SIDE) if flip and name[-1] in 'LR' else name: matrix[:, :2] @ place + matrix[:, 2]
        for name, place in joints.items()}


class Dresser:
    """Makes canvases of a person: (canvas, mask of the garment that is meant or its box, its row, whether it is the person's own)."""

    def __init__(self, people, rows, composer):
        """`rows` have points; see sets/points.py."""
        self.people, self.composer, self.generator = people, composer, composer.generator
        self.garments = {'upper': [], 'lower': []}
        for row in rows:
            family, points = FAMILY_OF.get(row['type']), points_of(row)
            upper = family in UPPER | WHOLE and has(points, UPPER_POINTS) and (
                has(points, ['cuffL', 'cuffR']) or row['sleeve'] == 'None')
            lower = family in LOWER and (has(points, TROUSER_POINTS) or has(points, SKIRT_POINTS))
            if (upper or lower) and row['mask_unsure'] <= 0.08 and box_of(composer.masks[row['row']]):
                self.garments['upper' if upper else 'lower'].append((row, points))

    def make(self):
        g = self.generator
        person = self.people[g.integers(len(self.people))]
        parts = [part for part, joints in JOINTS.items() if person['view'] != 'side' and has(person['joints'], joints)]
        if not parts or g.random() < 0.25:
            return self.own(person)
        part = parts[g.integers(len(parts))]
        row, points = self.garments[part][g.integers(len(self.garments[part]))]
        canvas, matrix = self.scene(person, self.focus(person, row, part))
        dress = dress_upper if part == 'upper' else dress_lower
        canvas, mask = dress(g, canvas, moved(person['joints'], matrix), (*self.relit(row), row, points))
        return (canvas, mask, row, False) if (mask > 127).mean() > 0.02 else self.own(person)

    def own(self, person):
        """The person's own garment on another ground; of its mask only the box is known."""
        row, (height, width) = person['row'], person['mask'].shape
        corners = np.multiply(row['box'], (width, height, width, height)).reshape(2, 2)
        box = np.zeros((height, width), np.uint8)
        (x0, y0), (x1, y1) = np.round(corners).astype(int)
        box[y0:y1, x0:x1] = 255
        canvas, matrix = self.scene(person, corners)
        return canvas, cv2.warpAffine(box, matrix, (CANVAS, CANVAS)), row, True

    def focus(self, person, row, part):
        """Joints (n, 2) around what is meant."""
        names = FOCUS['whole' if FAMILY_OF[row['type']] in WHOLE else part]
        return np.array([place for name, place in person['joints'].items() if name.rstrip('LR') in names])

    def scene(self, person, focus):
        """The surroundings of `focus` on a canvas, on the own ground or another, in the mirror half of the time; and the map there."""
        g = self.generator
        low, high, whole = focus.min(axis=0), focus.max(axis=0), np.array(person['mask'].shape[::-1])
        side = min(max(high - low) * g.uniform(1.1, 2.2), max(whole) * g.uniform(1, 1.1))
        free = np.maximum(whole - side, 0) / 2
        centre = np.clip((low + high) / 2 + g.normal(0, 0.05 * side, 2), whole / 2 - free, whole / 2 + free)
        matrix = view_matrix(centre, side, CANVAS, g.normal(0, 0.04), g.random() < 0.5)
        image, mask = person['image'], person['mask']
        scale = np.sqrt(abs(np.linalg.det(matrix[:, :2])))
        if scale < 0.7:
            image = cv2.GaussianBlur(image, (0, 0), 0.5 / scale)
        canvas = cv2.warpAffine(image, matrix, (CANVAS, CANVAS), borderValue=(OUTSIDE,) * 3)
        if g.random() < 0.65:
            inside = cv2.warpAffine(np.full(mask.shape, 255, np.uint8), matrix, (CANVAS, CANVAS))
            ground = wall(g) if g.random() < 0.7 else self.floor()
            shown = lay_over(ground, canvas, cv2.warpAffine(mask, matrix, (CANVAS, CANVAS)))
            canvas = np.where(inside[:, :, None] > 127, shown, np.uint8(OUTSIDE))
        return np.ascontiguousarray(canvas), matrix

    def floor(self):
        """The middle of another photograph without its garment."""
        canvas, _ = self.composer.background()
        cut = CANVAS // 5
        return cv2.resize(canvas[cut:-cut, cut:-cut], (CANVAS, CANVAS))

    def relit(self, row):
        """The garment's image in other light, and its mask."""
        gain = np.exp(self.generator.normal(0, 0.1)) * np.exp(self.generator.normal(0, 0.02, 3))
        table = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
        return cv2.LUT(self.composer.images[row['row']], table[:, None, :]), self.composer.masks[row['row']]
