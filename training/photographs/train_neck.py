"""Trains the third network, for necklines: python3 train_neck.py --photos DIR --start DIR --stamps DIR --cache DIR --out DIR

A stopped run resumes from OUT/neck.pt.
"""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from learning import Learner, add_options, join, run, start
from network.fast import autocast
from network.losses import SMOOTHING
from network.neck import HEAD_WEIGHTS, SIZE, make_neck
from samples.augment import Sampler, class_weights
from samples.neck_views import neck_view, sample_neck
from samples.plan import Plan
from samples.views import box_of, to_batch
from sets.classes import class_index
from sets.data import load_arrays, read_labels
from sets.negatives import load_stamps, load_train_backgrounds
from sets.splits import split

SHARES = {'home': 0.58, 'studio': 0.37, 'worn': 0.05, 'drawings': 0.0, 'doll': 0.0, 'negative': 0.0, 'several': 0.0}
DECAY = 0.03


def neck_loss(logits, rows):
    total = 0.0
    for head, values in logits.items():
        targets = torch.tensor([class_index(row, head) for row in rows])
        weights, known = torch.tensor([class_weights(row)[head] for row in rows]), targets >= 0
        losses = F.cross_entropy(values[known], targets[known], reduction='none', label_smoothing=SMOOTHING)
        total = total + HEAD_WEIGHTS[head] * (losses * weights[known]).sum() / len(rows)
    return total


def accuracy(model, rows, arrays):
    """Returns the percentage of right necklines, in squares derived from the mask."""
    images, masks, right = arrays[0], arrays[1], []
    for start in range(0, len(rows), 32):
        part = rows[start:start + 32]
        with torch.no_grad(), autocast():
            logits = model(to_batch([neck_view(images[row['row']], box_of(masks[row['row']]), SIZE) for row in part]))['neckline']
        right += [guess == class_index(row, 'neckline') for guess, row in zip(logits.argmax(1).tolist(), part)]
    return round(100 * float(np.mean(right)), 1)


def work(rank, options):
    join(rank, options)
    torch.manual_seed(options.seed + rank)
    rows, arrays = read_labels(options.photos), load_arrays(options.photos, options.cache)
    backgrounds = load_train_backgrounds(rows, arrays, options.cache)
    train, held = split(rows, options.fold)
    train, *held = [[row for row in own if class_index(row, 'neckline') >= 0] for own in (train, *held.values())]
    sampler = Sampler(train, arrays, backgrounds, load_stamps(options.stamps, 'train'), options.seed * 100 + rank)
    model = make_neck()
    model.load_start(options.start)
    body = [*model.stem.parameters(), *model.blocks.parameters()]
    rest = [*model.last.parameters(), *model.heads.parameters()]
    groups = [{'params': own, 'lr': rate, 'weight_decay': DECAY} for own, rate in ((body, options.body_rate), (rest, options.head_rate))]
    learner = Learner(model, groups, Path(options.out) / 'neck.pt', options, rank, warm_up=60)
    plan, share = Plan(train, SHARES, options.seed * 10 + learner.step), options.batch // options.processes

    def advance(progress):
        own = plan.batch(options.batch)[rank * share:(rank + 1) * share]
        batch = to_batch([sample_neck(sampler, row, SIZE) for row in own])
        with autocast():
            logits = learner.model(batch)
        loss = neck_loss(logits, own)
        learner.optimise(loss, progress)
        return [float(loss)]

    run(learner, sampler, advance, ('loss',), lambda last: {'right': [accuracy(learner.average, own, arrays) for own in held]} if last else {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(
        parser, ('photos', 'start', 'stamps', 'cache', 'out'),
        {'steps': 2000, 'batch': 48, 'seed': 5, 'port': 29531, 'save-every': 50},
        {'head-rate': 0.002, 'body-rate': 0.0008, 'average': 0.995})
    options = parser.parse_args()
    options.sizes = [[SIZE, 1]]
    start(options, work)


if __name__ == '__main__':
    main()
