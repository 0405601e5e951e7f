"""Flat garments with marked points, bent to the joints of a person who stands."""
import cv2
import numpy as np

from sets.data import CANVAS
from sets.points import OTHER_SIDE, POINTS

PIXELS = np.stack(np.meshgrid(np.arange(CANVAS), np.arange(CANVAS)), -1).astype(np.float32)  # (CANVAS, CANVAS, 2)
STEP = 8  # the map is evaluated for each square of this side and read in between


def thin_plate(places, origins, smooth=1.0):
    """Maps for cv2.remap that bring `origins` (n, 2) to `places` (n, 2) and bend the rest as little as they can (Bookstein 1989)."""
    places, origins = np.asarray(places, float), np.asarray(origins, float)
    count = len(places)

    def kernel(a, b):
        squared = ((a[:, None] - b[None]) ** 2).sum(-1)
        return 0.5 * squared * np.log(squared + 1e-9)

    system = np.zeros((count + 3, count + 3))
    system[:count, :count] = kernel(places, places) + smooth * np.eye(count)
    system[:count, count] = system[count, :count] = 1
    system[:count, count + 1:] = places
    system[count + 1:, :count] = places.T
    weights = np.linalg.solve(system, np.vstack([origins, np.zeros((3, 2))]))
    axis = (np.arange(CANVAS // STEP) + 0.5) * STEP - 0.5
    grid = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    found = kernel(grid, places) @ weights[:count] + weights[count] + grid @ weights[count + 1:]
    maps = found.reshape(len(axis), len(axis), 2).astype(np.float32)
    return cv2.split(cv2.resize(maps, (CANVAS, CANVAS), interpolation=cv2.INTER_LINEAR))


def bend(image, mask, places, origins, reach):
    """The garment's part `mask` with `origins` at `places`: (image, mask). Nothing lies farther than `reach` outside of the places."""
    maps = thin_plate(places, origins)
    region = np.zeros((CANVAS, CANVAS), np.uint8)
    cv2.fillConvexPoly(region, cv2.convexHull(np.float32(places)).astype(np.int32), 255)
    size = 2 * max(1, int(reach)) + 1
    region = cv2.dilate(region, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
    bent = cv2.remap(image, *maps, cv2.INTER_LINEAR)
    return bent, cv2.remap(mask, *maps, cv2.INTER_LINEAR) & region


def points_of(row):
    """Marked places by name, in pixels of the canvas."""
    return {name: place[:2] - 0.5 for name, place in zip(POINTS, row['points']) if place[2] > 0}


def unit(vector):
    return vector / max(1e-6, np.linalg.norm(vector))


def across(vector):
    """The vector turned by a quarter."""
    return np.array([-vector[1], vector[0]])


def left_of(start, direction):
    """A function of places (..., 2): how far they lie to one side of the line from `start`; negative on the other."""
    return lambda places: (places - start) @ across(unit(direction))


def sleeve_zone(points, side):
    """Where the sleeve of `side` is: beyond the armhole, and below it beyond the line that halves the angle of sleeve and side seam."""
    shoulder, armpit, cuff, hem = (points[name + side] for name in ('shoulder', 'armpit', 'cuff', 'hem'))
    other = points['shoulder' + side.translate(OTHER_SIDE)]
    middle = unit(unit(cuff - armpit) + unit(hem - armpit))
    armhole, halving = left_of(shoulder, armpit - shoulder), left_of(armpit, middle)
    beyond = armhole(PIXELS) * -np.sign(armhole(other)) > 0
    below = halving(PIXELS) * np.sign(halving(cuff)) > 0
    return np.where((PIXELS - armpit) @ middle > 0, below, beyond)


def along(path, length):
    """The place `length` along the path (n, 2), and the direction there; beyond its end the last part goes on."""
    for index, (a, b) in enumerate(zip(path, path[1:])):
        part = np.linalg.norm(b - a)
        if length <= part or index == len(path) - 2:
            return a + unit(b - a) * length, unit(b - a)
        length -= part
