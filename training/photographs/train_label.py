"""Trains the label head on channel means of the first network's last feature map:
python3 train_label.py --features FILE --out DIR

FILE is written by write-features.ts. The head is multinomial logistic regression with a ridge, and nothing else of the network
changes. Prints how many labels it would find and how many other pictures it would take for labels, by five folds of the groups.
Each photographed label is left out in turn. OUT/heads.pt has the weights for add_heads.py.
"""
import argparse
import json
import zlib
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

CHANNELS = 1280  # of the feature map. The features are two contrasts and the mean of each
CLASSES = ['Garment', 'Label']
PHOTOGRAPHED = 'photographed-label'
RIDGE, FOLDS = 0.02, 5
REPEATS = 4  # photographed labels count this often, because they are few
MIN_LABEL = 0.5  # probability from which on a picture counts as a label, as in predict-picture.ts


def parse_options(description):
    parser = argparse.ArgumentParser(description=description)
    for name in ('features', 'out'):
        parser.add_argument(f'--{name}', required=True)
    return parser.parse_args()


def group_folds(keys, count):
    """Returns the fold of each picture, 0 to count - 1. Pictures of one group are in one fold."""
    return np.array([zlib.crc32((group or name).encode()) % count for _, name, group, _ in keys])


def read_features(path):
    """Returns (keys, features of shape (pictures, 4 turns, 3 x CHANNELS))."""
    keys = [line.split(',') for line in Path(path).with_suffix('.keys').read_text().splitlines()]
    return keys, np.memmap(path, np.float32, 'r')[:len(keys) * 4 * 3 * CHANNELS].reshape(len(keys), 4, 3 * CHANNELS)


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
    options = parse_options(__doc__)
    torch.set_num_threads(1)
    keys, features = read_features(options.features)
    means = np.ascontiguousarray(features[:, :, 2 * CHANNELS:])
    sets = np.array([key[0] for key in keys])
    is_label = np.char.endswith(sets, 'label')
    fold = group_folds(keys, FOLDS)
    photographed = np.flatnonzero(sets == PHOTOGRAPHED)
    fold[photographed] = FOLDS + np.arange(len(photographed))

    def fit_on(chosen):
        rows = np.concatenate([np.flatnonzero(chosen), *[np.flatnonzero(chosen & (sets == PHOTOGRAPHED))] * (REPEATS - 1)])
        return fit(means[rows].reshape(-1, CHANNELS), np.repeat(is_label[rows].astype(np.int64), 4), len(CLASSES), RIDGE)

    found = np.zeros((len(keys), 4), bool)
    for held in np.unique(fold):
        weight, bias = fit_on(fold != held)
        logits = torch.from_numpy(means[fold == held]) @ weight.t() + bias
        found[fold == held] = (torch.softmax(logits, 2)[..., 1] >= MIN_LABEL).numpy()
    print(json.dumps({name: f'{int(found[sets == name].sum())} of {found[sets == name].size}' for name in np.unique(sets)}))
    weight, bias = fit_on(np.ones(len(keys), bool))
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    torch.save({'label': {'weight': weight, 'bias': bias, 'classes': CLASSES}}, out / 'heads.pt')


if __name__ == '__main__':
    main()
