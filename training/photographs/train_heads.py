"""Trains the label head on the pooled features of a finished first network:
python3 train_heads.py --network FILE --photos DIR --cache DIR --labels DIR --out DIR

The head is multinomial logistic regression, fitted by L-BFGS with a ridge. Nothing else of the network changes. LABELS holds pictures
of clothing labels: every fifth one is held out. OUT/heads.pt holds the weights, and OUT/features.npz the features, which are reused.
"""
import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from network.fast import autocast
from network.model import load_network
from samples.light import relight
from samples.views import box_of, crop_square, render, to_batch, view_matrix
from sets.data import CANVAS, OUTSIDE, load_arrays, read_labels, to_canvas
from sets.splits import SHOP_SETS, bucket, is_judge, shop_part

SIZE = 192  # pixels on an edge of the network's first look
CLASSES = ['Garment', 'Label']
TRAIN, TEST = 3000, 900  # photographs of garments
RIDGE = 1e-3  # weight of the mean squared weight


def is_test(row):
    """True for photographs that the head is measured on: the reported ones, and every tenth group of the worn garments."""
    if row['set'] in SHOP_SETS:
        return shop_part(row) == 'reported'
    return row['split'] in ('validation', 'senders', 'studio') or bucket(row['group'], 10) == 0 and row['set'] == 'worn'


def choose(rows, count, seed):
    """Returns `count` rows, as many of each set as the others as far as it has them."""
    generator, sets, chosen = np.random.default_rng(seed), {}, []
    for row in rows:
        sets.setdefault(row['set'], []).append(row)
    for own in sorted(sets.values(), key=len):
        share = min(len(own), (count - len(chosen)) // (len(sets)))
        chosen += [own[index] for index in generator.permutation(len(own))[:share]]
        sets.pop(own[0]['set'])
    return chosen


def choose_view(canvas, mask, turn, generator, vary):
    """Returns a view of the whole canvas or of the garment's surroundings, turned clockwise by `turn` quarters."""
    box = box_of(mask) if mask is not None and generator.random() < 0.5 else None
    centre, side = crop_square(box) if box else ((CANVAS / 2, CANVAS / 2), CANVAS)
    angle = np.deg2rad(generator.normal(0, 5)) if vary else 0.0
    image = render(canvas, view_matrix(centre, side * (generator.uniform(0.92, 1.1) if vary else 1), SIZE, angle), SIZE, (OUTSIDE,) * 3)
    if vary:
        image = relight(image, np.ones((SIZE // 2, SIZE // 2), np.float32), generator)
    return np.ascontiguousarray(np.rot90(image, -turn))


def pool(model, images):
    """Returns the pooled features (n, 1280) of RGB bytes."""
    parts = []
    for start in range(0, len(images), 16):
        with torch.no_grad(), autocast():
            parts.append(model.look(to_batch(images[start:start + 16]))[1].float().numpy())
    return np.concatenate(parts)


def read_label_pictures(folder):
    """Returns the canvases of the pictures in a folder, by name."""
    paths = sorted(path for path in Path(folder).iterdir() if path.suffix in ('.jpg', '.png'))
    return [to_canvas(np.ascontiguousarray(cv2.imread(str(path))[:, :, ::-1]), OUTSIDE)[0] for path in paths]


def collect(options):
    """Returns arrays by name: features, label (0 or 1), test (0 or 1) and row (-1 for a label)."""
    generator = np.random.default_rng(11)
    rows, arrays = read_labels(options.photos), load_arrays(options.photos, options.cache)
    rows = [row for row in rows if not row['near'] and row['source'] != 'thing']
    train = choose([row for row in rows if not is_test(row) and not is_judge(row)], TRAIN, 1)
    test = choose([row for row in rows if is_test(row)], TEST, 2)
    model = load_network(options.network).to(memory_format=torch.channels_last)
    parts = {'features': [], 'label': [], 'test': [], 'row': []}

    def add(images, label, is_held, names):
        parts['features'].append(pool(model, images))
        parts['label'] += [label] * len(images)
        parts['test'] += [is_held] * len(images)
        parts['row'] += names

    for chosen, is_held in ((train, 0), (test, 1)):
        for start in range(0, len(chosen), 100):
            own = chosen[start:start + 100]
            turns = [list(range(4)) if is_held else [0, int(generator.integers(1, 4))] for _ in own]
            images = [choose_view(arrays[0][row['row']], arrays[1][row['row']], turn, generator, not is_held) for row, some in zip(own, turns) for turn in some]
            add(images, 0, is_held, [row['row'] for row, some in zip(own, turns) for _ in some])
            print(is_held, start, flush=True)
    for index, canvas in enumerate(read_label_pictures(options.labels)):
        is_held = int(index % 5 == 0)
        images = [choose_view(canvas, None, turn, generator, not is_held) for turn in range(4)]
        add(images, 1, is_held, [-1] * 4)
    return {name: np.concatenate(own) if name == 'features' else np.array(own) for name, own in parts.items()}


def fit(features, targets, classes, ridge):
    """Returns the weights (classes, n) and biases of multinomial logistic regression on standardised features."""
    mean, deviation = features.mean(0), features.std(0) + 1e-4
    x, y = torch.from_numpy((features - mean) / deviation).float(), torch.from_numpy(targets)
    weight, bias = torch.zeros(classes, x.shape[1], requires_grad=True), torch.zeros(classes, requires_grad=True)
    balance = torch.tensor([len(targets) / classes / max(1, (targets == index).sum()) for index in range(classes)]).float()
    optimizer = torch.optim.LBFGS([weight, bias], max_iter=300, line_search_fn='strong_wolfe')

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(x @ weight.t() + bias, y, balance) + ridge * weight.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    scaled = weight.detach() / torch.from_numpy(deviation).float()
    return scaled, bias.detach() - scaled @ torch.from_numpy(mean).float()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('network', 'photos', 'cache', 'labels', 'out'):
        parser.add_argument(f'--{name}', required=True)
    options = parser.parse_args()
    torch.set_num_threads(1)
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    if not (out / 'features.npz').exists():
        np.savez(out / 'features.npz', **collect(options))
    data = np.load(out / 'features.npz')
    features, targets, test = data['features'], data['label'], data['test'] == 1
    weight, bias = fit(features[~test], targets[~test], len(CLASSES), RIDGE)
    torch.save({'label': {'weight': weight, 'bias': bias, 'classes': CLASSES}}, out / 'heads.pt')
    p = torch.softmax(torch.from_numpy(features[test]) @ weight.t() + bias, 1).numpy()
    right = p.argmax(1) == targets[test]
    by_class = {name: round(float(right[targets[test] == index].mean()), 4) for index, name in enumerate(CLASSES)}
    print(json.dumps({'pictures': int(test.sum()), 'right': round(float(right.mean()), 4), 'byClass': by_class}))


if __name__ == '__main__':
    main()
