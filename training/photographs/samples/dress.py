"""Flat garments with marked points on a standing person's body, whose joints are known."""
import cv2
import numpy as np

from samples.compose import lay_over
from samples.dolls import SKINS, WHOLE
from samples.drape import across, along, bend, sleeve_zone, unit
from sets.classes import FAMILY_OF

UPPER_POINTS = ['neckL', 'neckR', 'shoulderL', 'shoulderR', 'armpitL', 'armpitR', 'hemL', 'hemR']
TROUSER_POINTS = ['waistL', 'waistR', 'crotch', 'hemLo', 'hemLi', 'hemRo', 'hemRi']
SKIRT_POINTS = ['waistL', 'waistR', 'hemL', 'hemR']
ARM, LEG = ('shoulder', 'elbow', 'wrist'), ('hip', 'knee', 'ankle')
BARE_SHARE = 0.85  # of the people whose limbs a garment leaves free; the others keep what they wear


def has(places, names):
    return all(name in places for name in names)


def bare_limbs(g, canvas, limbs, thickness):
    """Bare arms or legs (three joints each) over what the person wears, all of one skin."""
    skin = np.multiply(SKINS[g.integers(len(SKINS))], g.uniform(0.85, 1.08))
    drawn = canvas.copy()
    for limb in limbs:
        if len(limb) == 2:  # the rest lies outside of the picture
            limb = [*limb, 2 * limb[1] - limb[0]]
        for index, (a, b) in enumerate(zip(limb, limb[1:])):
            tone = [int(v) for v in np.clip(skin * g.uniform(0.93, 1.05), 0, 255)]
            thick = max(2, int(thickness * (1 if index == 0 else 0.75)))
            cv2.line(drawn, tuple(map(int, a)), tuple(map(int, b)), tone, thick, cv2.LINE_AA)
    return cv2.GaussianBlur(drawn, (0, 0), 0.8)


def length_of(path):
    return sum(np.linalg.norm(b - a) for a, b in zip(path, path[1:]))


def chain(joints, names, side):
    """Those of the named joints of one side that are known, from the body outwards."""
    return [joints[name + side] for name in names if name + side in joints]


def dress_upper(g, canvas, joints, garment):
    """Lays a top or dress over the canvas: (canvas, the garment's mask)."""
    image, mask, row, points = garment
    neck, foot = (joints['neckL'] + joints['neckR']) / 2, (joints['waistL'] + joints['waistR']) / 2
    wide, down = np.linalg.norm(joints['shoulderL'] - joints['shoulderR']), unit(foot - neck)
    right = -across(down)
    scale = g.uniform(1.0, 1.12) * wide / max(1.0, np.linalg.norm(points['shoulderL'] - points['shoulderR']))
    middle = (points['neckL'] + points['neckR']) / 2
    axis = unit((points['hemL'] + points['hemR']) / 2 - middle)

    def laid(name):
        """The point where it lies if the garment is only moved, turned and scaled."""
        offset = scale * (points[name] - middle)
        return neck + (offset @ axis) * down + (offset @ -across(axis)) * right

    def edge(name):
        """The hem's corner: at least as wide as the body at its height."""
        offset, side = laid(name) - neck, name[-1]
        body = 'hip' + side if 'hip' + side in joints and offset @ down > (foot - neck) @ down else 'waist' + side
        reaches = 1.04 * ((joints[body] - neck) @ right), 0.85 * (offset @ right)
        return neck + (offset @ down) * down + (max(reaches) if side == 'R' else min(reaches)) * right

    if row['sleeve'] in ('None', 'Short') and g.random() < BARE_SHARE:
        canvas = bare_limbs(g, canvas, [chain(joints, ARM, side) for side in 'LR'], 0.25 * wide)
    if FAMILY_OF[row['type']] in WHOLE and g.random() < BARE_SHARE:
        canvas = bare_limbs(g, canvas, [chain(joints, LEG, side) for side in 'LR'], 0.34 * wide)
    sleeves = {side: sleeve_zone(points, side) for side in 'LR' if 'cuff' + side in points}
    body = mask * ~np.any([*sleeves.values(), np.zeros_like(mask, bool)], axis=0)
    places = [laid('neckL'), laid('neckR')] + [0.75 * joints[name] + 0.25 * laid(name) for name in UPPER_POINTS[2:6]]
    places += [edge('hemL'), edge('hemR')]
    bent, whole = bend(image, body, places, [points[name] for name in UPPER_POINTS], 0.3 * wide)
    canvas = lay_over(canvas, bent, whole)
    for side, zone in sleeves.items():
        arm = chain(joints, ARM, side)
        if len(arm) > 1:
            bent, own = bend_sleeve(g, image, mask * zone, side, arm, joints['armpit' + side], points, scale)
            canvas, whole = lay_over(canvas, bent, own), np.maximum(whole, own)
    return canvas, whole


def bend_sleeve(g, image, mask, side, arm, pit, points, scale):
    """The sleeve along the arm from its shoulder: (image, mask)."""
    shoulder, armpit, cuff = (points[name + side] for name in ('shoulder', 'armpit', 'cuff'))
    start, begin = (shoulder + armpit) / 2, (arm[0] + pit) / 2
    path, sleeve = [begin, *arm[1:]], unit(cuff - start)
    length = min(np.linalg.norm(cuff - start) * scale, length_of(path) * g.uniform(0.97, 1.08))
    half = 0.3 * np.linalg.norm(shoulder - armpit)
    upper = np.sign(across(sleeve) @ (shoulder - armpit)) or 1  # the side of the sleeve, then of the arm, on which the shoulder lies
    outer = np.sign(across(unit(path[1] - begin)) @ (arm[0] - pit)) or 1
    places, origins = [arm[0], pit], [shoulder, armpit]
    for share in (0.5, 1.0):
        place, direction = along(path, share * length)
        for turn in (1, -1):
            places.append(place + turn * outer * across(direction) * half * scale * 0.9)
            origins.append(start + share * (cuff - start) + turn * upper * across(sleeve) * half)
    return bend(image, mask, places, origins, half * scale * 0.7)


def dress_lower(g, canvas, joints, garment):
    """Lays trousers, shorts or a skirt over the canvas: (canvas, the garment's mask)."""
    image, mask, row, points = garment
    drop, hips = g.uniform(0, 0.4), np.linalg.norm(joints['hipL'] - joints['hipR'])
    waist = {side: joints['waist' + side] + drop * (joints['hip' + side] - joints['waist' + side]) for side in 'LR'}
    middle = (waist['L'] + waist['R']) / 2
    waist = {side: middle + 1.06 * (place - middle) for side, place in waist.items()}
    scale = hips / max(1.0, 1.15 * np.linalg.norm(points['waistL'] - points['waistR']))
    legs = {side: chain(joints, LEG, side) for side in 'LR'}
    for leg in legs.values():
        leg[0] = (leg[0] + joints['crotch']) / 2  # the marked hip is the body's edge
    short = FAMILY_OF[row['type']] in ('Shorts', 'Skirt')
    if short and g.random() < BARE_SHARE:
        canvas = bare_limbs(g, canvas, legs.values(), 0.42 * hips)
    if has(points, TROUSER_POINTS):
        places, origins = [joints['crotch']], [points['crotch']]
        for side, leg in legs.items():
            inseam = np.linalg.norm((points[f'hem{side}o'] + points[f'hem{side}i']) / 2 - points['crotch']) * scale * 1.1
            length = min(length_of(leg), inseam) if short else length_of(leg) * g.uniform(0.93, 1.03)
            leg_places, leg_origins = lay_leg(points, side, leg, length, scale, hips)
            places, origins = places + leg_places, origins + leg_origins
    else:
        down = unit((joints['kneeL'] + joints['kneeR']) / 2 - middle)
        length = np.linalg.norm((points['hemL'] + points['hemR'] - points['waistL'] - points['waistR']) / 2) * scale
        half = max(0.42 * np.linalg.norm(points['hemL'] - points['hemR']) * scale, 0.5 * hips)
        places = [middle + length * down + out * half * -across(down) for out in (-1, 1)]
        origins = [points['hemL'], points['hemR']]
    places, origins = [waist['L'], waist['R'], *places], [points['waistL'], points['waistR'], *origins]
    bent, own = bend(image, mask, places, origins, 0.12 * hips)
    return lay_over(canvas, bent, own), own


def lay_leg(points, side, leg, length, scale, hips):
    """(places, origins) of the outer and inner edge halfway down the leg and at its end."""
    outer, inner = points[f'hem{side}o'], points[f'hem{side}i']
    half, out = 0.45 * np.linalg.norm(outer - inner) * scale, -1 if side == 'L' else 1
    places, origins = [], []
    for share in (0.5, 1.0):
        place, direction = along(leg, share * length)
        normal = across(direction)
        normal *= out * (1 if normal[0] > 0 else -1)
        wide = half if share == 1 else max(half, 0.2 * hips)
        places += [place + wide * normal, place - wide * normal]
        origins += [top + share * (end - top) for top, end in ((points['waist' + side], outer), (points['crotch'], inner))]
    return places, origins
