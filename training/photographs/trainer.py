"""Training steps of the first network."""
from pathlib import Path

import torch
from torch.nn import functional as F

from learning import Learner
from sets.classes import HEADS
from network.earlier import EarlierNetwork
from network.fast import autocast
from network.losses import OUTLINE_WEIGHT, outline_loss, tag_loss
from network.model import GarmentNet, load_network


def parameter_groups(model, head_rate, body_rate, decay):
    groups = {}
    for name, parameter in model.named_parameters():
        key = (body_rate if name.startswith(('stem.', 'blocks.', 'last.')) else head_rate, decay if parameter.ndim > 1 else 0.0)
        groups.setdefault(key, []).append(parameter)
    return [{'params': own, 'lr': rate, 'weight_decay': decay} for (rate, decay), own in groups.items()]


def soft_targets(teachers, earlier, batch):
    """Returns the teachers' mean probabilities by head. At home, half comes from an earlier network that knows only such pictures."""
    if not teachers:
        return {}
    with torch.no_grad(), autocast():
        answers = [teacher(batch['images'])[0] for teacher in teachers]
        soft = {head: sum(F.softmax(own[head], 1) for own in answers) / len(answers) for head in HEADS if head != 'fit'}
        at_home = batch['at_home']
        if earlier and at_home.any():
            for head, values in earlier(batch['images'][at_home])[0].items():
                soft[head][at_home] = (soft[head][at_home] + F.softmax(values, 1)) / 2
    return soft


class Trainer(Learner):
    """The first network with its teachers."""

    def __init__(self, options, rank):
        model = GarmentNet(options.body)
        if not options.resume:
            model.load_start(options.start)
        groups = parameter_groups(model, options.head_rate, options.body_rate, 0.02)
        super().__init__(model, groups, Path(options.out) / 'network.pt', options, rank, warm_up=60)
        self.earlier = EarlierNetwork(options.earlier) if options.earlier else None
        self.teachers = [load_network(path).to(memory_format=torch.channels_last) for path in options.teachers]

    def advance(self, batch, progress):
        """Takes one step. Returns (tag loss, outline loss)."""
        soft = soft_targets(self.teachers, self.earlier, batch)
        with autocast():
            tags, drawn = self.model(batch['images'])
        losses = tag_loss(tags, batch, soft, self.options.taught_share), outline_loss(drawn.float(), batch['outline'], batch['pixels'])
        self.optimise(losses[0] + OUTLINE_WEIGHT * losses[1], progress)
        return [float(loss) for loss in losses]
