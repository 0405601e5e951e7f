"""Trains the second network, which looks at the garment from near:
python3 train_near.py --photos DIR --start DIR --stamps DIR --drawings DIR --cache DIR --out DIR

A stopped run resumes from OUT/near.pt.
"""
import argparse
import json
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from learning import Learner, add_options, join, run, start
from network.fast import autocast
from network.losses import tag_loss
from network.near import NEAR_HEADS, SIZE, load_near, make_near
from samples.near_views import NearSampler
from samples.plan import Plan, make_batch
from samples.views import box_of, crop_view, to_batch
from sets.classes import class_index
from sets.data import load_arrays, read_labels
from sets.drawings import add_drawings
from sets.negatives import load_stamps, load_train_backgrounds
from sets.splits import LEARN_FROM, rows_to_learn_from, split
from trainer import parameter_groups

SHARES = {'home': 0.50, 'studio': 0.31, 'worn': 0.08, 'drawings': 0.03, 'doll': 0.08, 'negative': 0.0, 'several': 0.0}
DECAY = 0.03


def soft_targets(teachers, images):
    """Returns the mean probabilities of the teachers by head, {} without teachers."""
    if not teachers:
        return {}
    with torch.no_grad(), autocast():
        answers = [teacher(images) for teacher in teachers]
    return {head: sum(F.softmax(logits[head], 1) for logits in answers) / len(answers) for head in NEAR_HEADS if head != 'fit'}


def accuracy(model, rows, arrays, size):
    """Returns the percentage of right answers by head, in crops around the mask."""
    images, masks, logits = arrays[0], arrays[1], []
    for start in range(0, len(rows), 32):
        views = [crop_view(images[row['row']], box_of(masks[row['row']]), size) for row in rows[start:start + 32]]
        with torch.no_grad(), autocast():
            logits.append(model(to_batch(views)))
    labels = {head: np.array([class_index(row, head) for row in rows]) for head in NEAR_HEADS}
    right = {head: np.concatenate([part[head].argmax(1) for part in logits]) == own for head, own in labels.items()}
    return {head: round(100 * float(own[labels[head] >= 0].mean()), 1) for head, own in right.items() if (labels[head] >= 0).any()}


def work(rank, options):
    join(rank, options)
    torch.manual_seed(options.seed + rank)
    rows, arrays = read_labels(options.photos), load_arrays(options.photos, options.cache)
    backgrounds = load_train_backgrounds(rows, arrays, options.cache)
    train, (_, held) = rows_to_learn_from(rows, options.learn_from, options.fold), split(rows, options.fold)
    drawn, joined = add_drawings(options.drawings, arrays)
    train += drawn
    model = make_near()
    if not options.resume:
        model.load_start(options.start)
    teachers = [load_near(path).to(memory_format=torch.channels_last) for path in options.teachers]
    groups = parameter_groups(model, options.head_rate, options.body_rate, DECAY)
    learner = Learner(model, groups, Path(options.out) / 'near.pt', options, rank, warm_up=60)
    seed = options.seed * 1000 + learner.step
    sampler = NearSampler(train, joined, backgrounds, load_stamps(options.stamps, 'train'), seed * 10 + rank)
    plan, share = Plan(train, SHARES | options.shares, seed), options.batch // options.processes

    def advance(progress):
        batch = make_batch(sampler, plan.batch(options.batch)[rank * share:(rank + 1) * share])
        soft = soft_targets(teachers, batch['images'])
        with autocast():
            logits = learner.model(batch['images'])
        loss = tag_loss(logits, batch, soft, options.taught_share)
        learner.optimise(loss, progress)
        return [float(loss)]

    def figures(last):
        if not last and learner.step % options.evaluate_every:
            return {}
        return {name: accuracy(learner.average, own, arrays, SIZE) for name, own in held.items()}

    run(learner, sampler, advance, ('loss',), figures)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(
        parser, ('photos', 'start', 'stamps', 'drawings', 'cache', 'out'),
        {'steps': 7500, 'batch': 56, 'seed': 5, 'port': 29531, 'save-every': 100, 'evaluate-every': 1000},
        {'head-rate': 0.002, 'body-rate': 0.0007, 'average': 0.998, 'taught-share': 0.4})
    parser.add_argument('--sizes', type=json.loads, default=[[128, 0.3], [160, 0.65], [192, 1]])
    parser.add_argument('--shares', type=json.loads, default={}, help='shares of sources in a batch that differ from those above')
    parser.add_argument('--teachers', nargs='*', default=[], help='near.pt files')
    parser.add_argument('--learn-from', choices=LEARN_FROM, default='train')
    options = parser.parse_args()
    start(options, work)


if __name__ == '__main__':
    main()
