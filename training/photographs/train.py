"""Trains the first network: python3 train.py --photos DIR --start DIR --stamps DIR --drawings DIR --out DIR

Batch-norm statistics are fixed, weights are rounded to 8 bits as exported, and inputs grow with time. A stopped run resumes from
OUT/network.pt. Data-parallel over single-threaded processes, which is faster on two shared cores than one process with two threads.
"""
import argparse
import json
from pathlib import Path

import torch

from learning import add_options, join, run, start
from samples.augment import Sampler
from sets.data import load_arrays, read_labels
from sets.drawings import add_drawings
from evaluate import evaluate, summary
from sets.negatives import load_stamps, load_train_backgrounds
from samples.plan import Plan, make_batch
from sets.splits import LEARN_FROM, rows_to_learn_from, split
from trainer import Trainer


def load_data(options, rank):
    """Returns (rows to train on, {set: held-out rows}, arrays, sampler)."""
    rows, arrays = read_labels(options.photos), load_arrays(options.photos, options.cache)
    backgrounds = load_train_backgrounds(rows, arrays, options.cache)
    train, (_, held) = rows_to_learn_from(rows, options.learn_from, options.fold), split(rows, options.fold)
    drawn, joined = add_drawings(options.drawings, arrays)
    sampler = Sampler(train + drawn, joined, backgrounds, load_stamps(options.stamps, 'train'), options.seed * 100 + rank)
    return train + drawn, held, arrays, sampler


def work(rank, options):
    join(rank, options)
    rows, held, arrays, sampler = load_data(options, rank)
    trainer = Trainer(options, rank)
    torch.manual_seed(options.seed * 1000 + trainer.step + rank)
    plan, share = Plan(rows, options.shares, options.seed * 10 + trainer.step), options.batch // options.processes

    def advance(progress):
        batch = plan.batch(options.batch)[rank * share:(rank + 1) * share]
        return trainer.advance(make_batch(sampler, batch), progress)

    def figures(last):
        if not last and trainer.step % options.evaluate_every:
            return {}
        return {name: summary(evaluate([trainer.average], own, arrays, *options.looks, fast=True)) for name, own in held.items()}

    run(trainer, sampler, advance, ('tags', 'outline'), figures)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(
        parser, ('photos', 'stamps', 'drawings', 'out'),
        {'steps': 6000, 'batch': 64, 'seed': 1, 'port': 29511, 'save-every': 100, 'evaluate-every': 1000},
        {'head-rate': 0.001, 'body-rate': 0.0004, 'average': 0.998, 'taught-share': 0.6})
    parser.add_argument('--start', help='folder of the unpacked start weights')
    parser.add_argument('--cache', help='folder for decoded photographs, default OUT/cache')
    parser.add_argument('--body', default='lite2', choices=['lite0', 'lite1', 'lite2', 'mobile'])
    parser.add_argument('--teachers', nargs='*', default=[], help='network.pt files')
    parser.add_argument('--earlier', help='folder of an exported network that teaches beside them, photographs at home only')
    parser.add_argument('--sizes', type=json.loads, default=[[160, 0.5], [192, 0.8], [224, 1]])
    parser.add_argument('--shares', type=json.loads, default={}, help='shares of sources in a batch that differ from plan.py')
    parser.add_argument('--looks', type=int, nargs=2, default=[192, 256])
    parser.add_argument('--learn-from', choices=LEARN_FROM, default='train')
    options = parser.parse_args()
    options.cache = options.cache or str(Path(options.out) / 'cache')
    start(options, work, load_data)


if __name__ == '__main__':
    main()
