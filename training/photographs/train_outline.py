"""Trains only the first network's decoder, which draws outlines: python3 train_outline.py --resume FILE --photos DIR --stamps DIR --cache DIR --out DIR

The body and the heads stay as they are, so that tags change only by their crops. Beside the garment, the decoder learns
hangers and hands, which are not exported. A stopped run resumes from OUT/network.pt.
"""
import argparse
import json
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from learning import Learner, add_options, join, run, start
from network.fast import autocast
from network.losses import outline_loss
from network.model import SMOOTH, GarmentNet
from samples.outline_views import OutlineSampler, make_outline_batch
from sets.data import load_arrays, read_labels
from sets.negatives import load_stamps, load_train_backgrounds
from sets.outlines import corrected_masks
from sets.splits import LEARN_FROM, rows_to_learn_from

OTHERS_WEIGHT = 0.4
DECODER = 'laterals.', 'smooth.', 'outline.', 'others.'


class OutlineNet(GarmentNet):
    """A GarmentNet with a second output for what is no garment: logits of hanger and person."""

    def __init__(self, body):
        super().__init__(body)
        self.others = nn.Conv2d(SMOOTH[2], 2, 1)

    def load_state_dict(self, state, strict=True):
        return super().load_state_dict(state, strict=False)  # a GarmentNet has no second output

    def forward(self, x):
        with torch.no_grad():
            levels, _ = self.features(x)
        y = self.smoothed(levels)[2]
        return self.outline(y), self.others(y)


def load_data(options, rank):
    rows, arrays = read_labels(options.photos), load_arrays(options.photos, options.cache)
    backgrounds = load_train_backgrounds(rows, arrays, options.cache)
    train = rows_to_learn_from(rows, options.learn_from, options.fold)
    corrected = corrected_masks(options.photos, train, options.bag_masks)
    return OutlineSampler(train, arrays, backgrounds, load_stamps(options.stamps, 'train'), corrected, options.seed * 100 + rank)


def work(rank, options):
    join(rank, options)
    torch.manual_seed(options.seed * 1000 + rank)
    sampler, model = load_data(options, rank), OutlineNet(options.body)
    parameters = []
    for name, parameter in model.named_parameters():
        if name.startswith(DECODER):
            parameters.append(parameter)
        else:
            parameter.requires_grad_(False)
    learner = Learner(model, [{'params': parameters, 'lr': options.rate, 'weight_decay': 1e-4}], Path(options.out) / 'network.pt', options, rank, warm_up=60)

    def advance(progress):
        images, targets, weights = make_outline_batch(sampler, options.batch // options.processes)
        with autocast():
            garment, others = learner.model(images)
        loss = outline_loss(garment.float(), targets[:, :1], weights[:, :1])
        beside = (F.binary_cross_entropy_with_logits(others.float(), targets[:, 1:], reduction='none') * weights[:, 1:]).mean()
        learner.optimise(loss + OTHERS_WEIGHT * beside, progress)
        return [float(loss), float(beside)]

    run(learner, sampler, advance, ('outline', 'others'), lambda last: {})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(
        parser, ('photos', 'stamps', 'cache', 'out'),
        {'steps': 2000, 'batch': 64, 'seed': 1, 'port': 29531, 'save-every': 50}, {'rate': 0.002, 'average': 0.995})
    parser.add_argument('--body', default='lite2')
    parser.add_argument('--bag-masks', help='folder of grey masks of bags, named by id')
    parser.add_argument('--sizes', type=json.loads, default=[[192, 0.5], [256, 1]])
    parser.add_argument('--learn-from', choices=LEARN_FROM, default='everyone')
    options = parser.parse_args()
    start(options, work, load_data)


if __name__ == '__main__':
    main()
