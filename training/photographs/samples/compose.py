"""Composes canvases: garments pasted on other backgrounds, several garments, or none."""
import cv2
import numpy as np

from sets.data import CANVAS, OUTSIDE
from samples.light import wall
from sets.negatives import plain_background, text_page
from samples.views import box_of, view_matrix


class Composer:
    def __init__(self, arrays, backgrounds, stamps, generator):
        self.images, self.masks = arrays[:2]
        self.backgrounds, self.background_rectangles = backgrounds
        self.stamps, self.generator = stamps, generator
        self.pasted = None  # 3 x 3 map of the last pasted garment from its own canvas to the composed one

    def ground(self):
        """Returns a floor or bed in 70 % of the cases, otherwise a wall."""
        if self.generator.random() < 0.7:
            return self.background()
        return self.letterbox(wall(self.generator))

    def background(self):
        """Returns a photograph without its garment: painted over, or a mirrored patch of its background."""
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

    def letterbox(self, canvas):
        """Fills left and right, or top and bottom, or nothing, with the grey that surrounds photographs."""
        canvas, shape = canvas.copy(), self.generator.random()
        margin = CANVAS // 8
        if shape < 0.7:
            canvas[:, :margin] = canvas[:, -margin:] = OUTSIDE
        elif shape < 0.85:
            canvas[:margin] = canvas[-margin:] = OUTSIDE
        return canvas, np.zeros((CANVAS, CANVAS), np.uint8)

    def place(self, box, low, high):
        """Returns a random map that lays the box on the canvas. Its longer side becomes `low` to `high` of the canvas side."""
        g = self.generator
        x0, y0, x1, y1 = box
        scale = g.uniform(low, high) * CANVAS / max(x1 - x0, y1 - y0)
        reach = 0.5 * (1 - scale * max(x1 - x0, y1 - y0) / CANVAS) * CANVAS * 0.8
        matrix = view_matrix(((x0 + x1) / 2, (y0 + y1) / 2), CANVAS / scale, CANVAS, g.uniform(-0.35, 0.35), g.random() < 0.5)
        matrix[:, 2] += g.uniform(-reach, reach, 2)
        return matrix

    def tilted(self, matrix, most=0.08):
        """Tilts a map as by a camera that is not straight above. Canvas corners move by up to `most` of its side."""
        corners = np.float32([[0, 0], [CANVAS, 0], [CANVAS, CANVAS], [0, CANVAS]])
        moved = corners + self.generator.uniform(-most, most, (4, 2)).astype(np.float32) * CANVAS
        return cv2.getPerspectiveTransform(corners, moved) @ np.vstack([matrix, [0, 0, 1]])

    def paste(self, canvas, mask, row, low=0.45, high=0.9):
        """Lays the garment of `row` on the canvas at a random place. Returns the canvas and its mask."""
        own = self.masks[row['row']]
        self.pasted = self.tilted(self.place(box_of(own), low, high))
        return self.lay(canvas, mask, self.images[row['row']], own, self.pasted)

    def lay(self, canvas, mask, image, own, matrix):
        """Lays a garment with the mask `own` on the canvas by a 3 x 3 map, with other light and a shadow. Returns the canvas and its mask."""
        g = self.generator
        garment, own = (cv2.warpPerspective(layer, matrix, (CANVAS, CANVAS)) for layer in (image, own))
        if g.random() < 0.6:
            shift = np.float32([[1, 0, g.uniform(-6, 6)], [0, 1, g.uniform(-2, 8)]])
            small = cv2.resize(cv2.warpAffine(own, shift, (CANVAS, CANVAS)), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
            shadow = cv2.resize(cv2.GaussianBlur(small, (0, 0), g.uniform(0.5, 2)), (CANVAS, CANVAS)).astype(np.float32)
            light = 1 - shadow * np.float32(g.uniform(0.1, 0.5) / 255)
            canvas = cv2.blendLinear(canvas, canvas, light, np.zeros_like(light))
        gain = np.exp(g.normal(0, 0.1)) * np.exp(g.normal(0, 0.02, 3))
        table = np.clip(np.arange(256)[:, None] * gain, 0, 255).astype(np.uint8)
        return lay_over(canvas, cv2.LUT(garment, table[:, None, :]), own), np.maximum(mask, own)

    def stamp(self, canvas, low, high, keep_off):
        """Lays a stamp on the canvas, behind everything in the mask `keep_off`."""
        stamp = self.stamps[self.generator.integers(len(self.stamps))]
        warped = cv2.warpAffine(stamp, self.place((0, 0, stamp.shape[1], stamp.shape[0]), low, high), (CANVAS, CANVAS))
        alpha = warped[:, :, 3]
        if keep_off is not None:
            alpha = alpha * (keep_off < 20)
        return lay_over(canvas, warped[:, :, :3], alpha, soft=False)

    def negative(self):
        """Returns a canvas without a garment, and an empty mask."""
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


def lay_over(canvas, garment, own, soft=True):
    """Blends the garment over the canvas where the mask `own` is white."""
    alpha = cv2.GaussianBlur(cv2.erode(own, np.ones((3, 3), np.uint8)), (3, 3), 0.8) if soft else own
    alpha = alpha.astype(np.float32) * np.float32(1 / 255)
    return cv2.blendLinear(np.ascontiguousarray(garment), canvas, alpha, 1 - alpha)
