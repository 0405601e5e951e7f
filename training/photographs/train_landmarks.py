"""Trains the landmark network, starting from the second network's first blocks:
python3 train_landmarks.py --network FILE --near FILE --photos DIR --cache DIR --stamps DIR --out DIR

A stopped run resumes from OUT/landmarks.pt.
"""
import argparse
import json
from pathlib import Path

import numpy as np
import torch

from learning import Learner, add_options, join, run, start
from sets.data import load_arrays, read_labels
from evaluate_landmarks import evaluate_landmarks
from network.fast import autocast
from network.landmarks import LandmarkNet, landmark_loss
from network.model import load_network
from network.small import with_levels
from sets.negatives import load_stamps, load_train_backgrounds
from samples.point_views import PointSampler, make_point_batch
from sets.points import read_points
from sets.splits import split
from trainer import parameter_groups

DECAY = 0.02
PRESENCE_WEIGHT = 0.5


def load_data(options, rank):
    """Returns (rows with points to train on, {set: held-out rows with points}, arrays, sampler)."""
    rows, arrays = read_labels(options.photos), load_arrays(options.photos, options.cache)
    backgrounds = load_train_backgrounds(rows, arrays, options.cache)
    train, held = split(rows, options.fold)
    train = read_points(options.photos, train, arrays[3])
    held = {name: read_points(options.photos, held[name], arrays[3]) for name in ('home', 'studio')}
    sampler = PointSampler(train, arrays, backgrounds, load_stamps(options.stamps, 'train'), options.seed * 100 + rank)
    return train, held, arrays, sampler


def work(rank, options):
    join(rank, options)
    torch.manual_seed(options.seed)
    rows, held, arrays, sampler = load_data(options, rank)
    network, model = load_network(options.network).to(memory_format=torch.channels_last), with_levels(LandmarkNet())
    model.load_start(options.near)
    groups = parameter_groups(model, options.head_rate, options.body_rate, DECAY)
    learner = Learner(model, groups, Path(options.out) / 'landmarks.pt', options, rank, warm_up=60)
    generator, share, order = np.random.default_rng(options.seed * 10 + learner.step), options.batch // options.processes, []

    def advance(progress):
        if len(order) < options.batch:
            order[:] = generator.permutation(len(rows))
        chosen = [order.pop() for _ in range(options.batch)][rank * share:(rank + 1) * share]
        images, points = make_point_batch(sampler, [rows[index] for index in chosen])
        with autocast():
            maps, presence = learner.model(images)
        losses = landmark_loss(maps, presence, points)
        learner.optimise(losses[0] + PRESENCE_WEIGHT * losses[1], progress)
        return [float(loss) for loss in losses]

    def evaluate(last):
        if not last and learner.step % options.evaluate_every:
            return {}
        return {name: evaluate_landmarks(network, learner.average, own, arrays) for name, own in held.items()}

    run(learner, sampler, advance, ('place', 'presence'), evaluate)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(
        parser, ('network', 'near', 'photos', 'cache', 'stamps', 'out'),
        {'steps': 6000, 'batch': 48, 'seed': 1, 'port': 29521, 'save-every': 50, 'evaluate-every': 500},
        {'head-rate': 0.002, 'body-rate': 0.0007, 'average': 0.995})
    parser.add_argument('--sizes', type=json.loads, default=[[192, 0.4], [256, 0.8], [288, 1]])
    options = parser.parse_args()
    start(options, work, load_data)


if __name__ == '__main__':
    main()
