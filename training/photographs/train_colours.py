"""Trains the colour model: python3 train_colours.py --photos DIR --cache DIR --out colour-model.json

Inputs are features of the pixels inside and around the masks, as in src/vision/colour/colour-model.ts. Outputs are the 15 colour
families of labels.csv. Prints the accuracy over five folds by person.
"""
import argparse
import base64
import json

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from sets.classes import COLOURS
from sets.data import SURE, load_arrays, read_labels

INSIDE, OUTSIDE, MARGIN = 1000, 500, 5  # numbers of samples, and side of the square that must lie inside or outside
CENTRES, HIDDEN, EPOCHS, BATCH, FOLDS = 96, 64, 40, 128, 5
COPIES = 4  # copies of each photograph under random light


def sample(photos, cache):
    """Returns rows, and pixels inside (n, INSIDE, 3) and outside (n, OUTSIDE, 3) the masks, of training photographs."""
    rows = read_labels(photos)
    images, masks, hangers, rectangles = load_arrays(photos, cache)
    steps = (np.arange(INSIDE) * 0.6180339887) % 1
    kernel = np.ones((MARGIN, MARGIN), np.uint8)
    kept, inside, outside = [], [], []
    for row in rows:
        if row['split'] != 'train' or not row['colour'] or (row['set'] == 'studio' and row['mask_unsure'] > SURE):
            continue
        x, y, width, height = rectangles[row['row']]
        area = np.s_[row['row'], y:y + height, x:x + width]
        pixels = images[area].reshape(-1, 3)
        mask = ((masks[area] > 127) & (hangers[area] < 128)).astype(np.uint8)
        inner = cv2.erode(mask, kernel, borderValue=1)
        own = np.flatnonzero(inner if inner.sum() >= 200 else mask)
        around = np.flatnonzero(cv2.dilate(mask, kernel) == 0)
        if len(own) < 50:
            continue
        kept.append(row)
        inside.append(pixels[own[(steps * len(own)).astype(int)]])
        surroundings = np.full((OUTSIDE, 3), 128, np.uint8)
        if len(around) >= 50:
            surroundings = pixels[around[(steps[:OUTSIDE] * len(around)).astype(int)]]
        outside.append(surroundings)
    return kept, np.array(inside), np.array(outside)


def to_lab(pixels, gains=None):
    """Converts sRGB bytes to CIELAB under D65, after multiplying linear light by `gains` (n, 3)."""
    share = pixels.astype(np.float32) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4).astype(np.float32)
    if gains is not None:
        linear = np.minimum(linear * gains[:, None, :], 1)
    matrix = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]])
    xyz = linear @ (matrix / np.array([[0.95047], [1], [1.08883]])).T.astype(np.float32)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], -1).astype(np.float32)


def warp(lab):
    """Stretches colours near grey, where colour names change over small distances."""
    chroma = np.hypot(lab[..., 1], lab[..., 2]) + 1e-6
    scale = chroma ** 0.75 * 2 / chroma
    return np.stack([lab[..., 0] * 0.8, lab[..., 1] * scale, lab[..., 2] * scale], -1)


def squared_distances(points, centres):
    return (points ** 2).sum(1)[:, None] - 2 * points @ centres.T + (centres ** 2).sum(1)


def find_centres(points, generator, rounds=12):
    """Returns CENTRES cluster centres by k-means."""
    centres = points[generator.choice(len(points), CENTRES, False)]
    for _ in range(rounds):
        nearest = squared_distances(points, centres).argmin(1)
        for index in range(CENTRES):
            if (nearest == index).any():
                centres[index] = points[nearest == index].mean(0)
    return centres


def histograms(lab, centres):
    """Returns square roots of each centre's share. Samples are split between their two nearest centres."""
    shares = np.zeros((len(lab), CENTRES), np.float32)
    for row, points in zip(shares, warp(lab)):
        distances = np.maximum(squared_distances(points, centres), 0)
        nearest = np.argpartition(distances, 1, 1)[:, :2]
        two = np.take_along_axis(distances, nearest, 1)
        first = two[:, 1] / (two.sum(1) + 1e-6)
        np.add.at(row, nearest[:, 0], first)
        np.add.at(row, nearest[:, 1], 1 - first)
    return np.sqrt(shares / lab.shape[1])


def features(inside, outside, centres, gains=None):
    own, around = to_lab(inside, gains), to_lab(outside, gains)
    percentiles = [np.percentile(lab, [10, 50, 90], axis=1).transpose(1, 0, 2).reshape(len(lab), 9) / 50 for lab in (own, around)]
    return np.concatenate([histograms(own, centres), histograms(around, centres) * 0.7, *percentiles], 1).astype(np.float32)


def fit(inputs, main, second, rows, seed=0):
    """Trains on the given rows. A second labelled colour counts nearly as much as the main one."""
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Dropout(0.15), nn.Linear(inputs.shape[2], HIDDEN), nn.ReLU(), nn.Dropout(0.4), nn.Linear(HIDDEN, len(COLOURS)))
    optimiser = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=1e-3)
    steps = EPOCHS * (len(rows) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps)
    generator = np.random.RandomState(seed)
    for _ in range(EPOCHS):
        generator.shuffle(rows)
        for start in range(0, len(rows), BATCH):
            part = rows[start:start + BATCH]
            log = F.log_softmax(model(inputs[generator.randint(0, COPIES + 1, len(part)), part]), 1)
            first = log.gather(1, main[part][:, None])[:, 0]
            other = log.gather(1, second[part][:, None])[:, 0]
            either = torch.where(main[part] == second[part], first, torch.logaddexp(first, other))
            loss = -(0.4 * first + 0.6 * either).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    return model.eval()


def rounded(values, digits=4):
    return [float(f'{value:.{digits}g}') for value in np.asarray(values).ravel()]


def encode(weights):
    return base64.b64encode(weights.astype(np.int8).tobytes()).decode()


def write(model, mean, deviation, centres, path):
    """Writes 8-bit weights, with the standardisation of the inputs folded into the first layer."""
    hidden, output = model[1], model[4]
    weights = hidden.weight.detach().numpy() / deviation
    biases = hidden.bias.detach().numpy() - weights @ mean
    scales = np.abs(weights).max(0) / 127 + 1e-12
    scale = output.weight.detach().abs().max().item() / 127
    description = {
        'families': COLOURS, 'centres': [rounded(centre) for centre in centres],
        'hidden': {'inputScales': rounded(scales), 'weights': encode(np.round(weights / scales)), 'biases': rounded(biases)},
        'output': {'scale': scale, 'weights': encode(np.round(output.weight.detach().numpy() / scale)), 'biases': rounded(output.bias.detach().numpy())}}
    with open(path, 'w') as file:
        json.dump(description, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('photos', 'cache', 'out'):
        parser.add_argument(f'--{name}', required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows, inside, outside = sample(options.photos, options.cache)
    points = inside[:, ::25].reshape(-1, 3)
    generator = np.random.RandomState(1)
    centres = find_centres(warp(to_lab(points[generator.choice(len(points), 30000, False)])), np.random.RandomState(0))
    copies = [features(inside, outside, centres)]
    for copy in range(COPIES):
        random = np.random.RandomState(100 + copy)
        light = np.exp(random.normal(0, 0.12, (len(rows), 1))) * np.exp(random.normal(0, 1, (len(rows), 3)) * (0.05, 0.02, 0.07))
        copies.append(features(inside, outside, centres, light.astype(np.float32)))
    mean, deviation = copies[0].mean(0), copies[0].std(0) + 0.02
    inputs = torch.tensor((np.stack(copies) - mean) / deviation)
    first = np.array([COLOURS.index(row['colour']) for row in rows])
    second = np.array([COLOURS.index(row['colour2']) if row['colour2'] else own for row, own in zip(rows, first)])
    groups = sorted({row['group'] for row in rows})
    np.random.RandomState(3).shuffle(groups)
    fold = np.array([groups.index(row['group']) % FOLDS for row in rows])
    guesses = np.zeros(len(rows), int)
    targets = torch.tensor(first), torch.tensor(second)
    for index in range(FOLDS):
        model = fit(inputs, *targets, np.flatnonzero(fold != index))
        with torch.no_grad():
            guesses[fold == index] = model(inputs[0][torch.tensor(fold == index)]).argmax(1).numpy()
    sets = np.array([row['set'] for row in rows])
    for name in ('home', 'studio'):
        main, either = (guesses == first)[sets == name], ((guesses == first) | (guesses == second))[sets == name]
        print(f'{name}: main colour right {main.mean():.3f}, either of two {either.mean():.3f} of {len(main)}')
    write(fit(inputs, *targets, np.arange(len(rows))), mean, deviation, centres, options.out)


if __name__ == '__main__':
    main()
