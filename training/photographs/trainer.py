"""Model, running average and optimiser of a training."""
import copy
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from torch.nn import functional as F

from sets.classes import HEADS
from network.earlier import EarlierNetwork
from network.losses import OUTLINE_WEIGHT, outline_loss, tag_loss
from network.model import GarmentNet, load_network


def parameter_groups(model, head_rate, body_rate, decay):
    groups = {}
    for name, parameter in model.named_parameters():
        key = (body_rate if name.startswith(('stem.', 'blocks.', 'last.')) else head_rate, decay if parameter.ndim > 1 else 0.0)
        groups.setdefault(key, []).append(parameter)
    return [{'params': own, 'lr': rate, 'base': rate, 'weight_decay': decay} for (rate, decay), own in groups.items()]


def average_gradients(parameters, world):
    flat = torch.cat([p.grad.flatten() for p in parameters])
    dist.all_reduce(flat)
    flat /= world
    torch.nn.utils.vector_to_parameters(flat, [p.grad for p in parameters])


def soft_targets(teachers, earlier, batch):
    """What teachers say, as probabilities by head: their mean, and at home half of it from an earlier network that only learned there."""
    if not teachers:
        return {}
    with torch.no_grad(), torch.autocast('cpu', dtype=torch.bfloat16):
        answers = [teacher(batch['images'])[0] for teacher in teachers]
        soft = {head: sum(F.softmax(own[head], 1) for own in answers) / len(answers) for head in HEADS if head != 'fit'}
        at_home = batch['at_home']
        if earlier and at_home.any():
            for head, values in earlier(batch['images'][at_home])[0].items():
                soft[head][at_home] = (soft[head][at_home] + F.softmax(values, 1)) / 2
    return soft


class Trainer:
    """Model, average and optimiser of one process, and how far it has come."""

    def __init__(self, options, rank):
        self.options, self.rank, self.path = options, rank, Path(options.out) / 'network.pt'
        self.step, self.seconds = 0, 0.0
        self.model = GarmentNet(options.body)
        stored = torch.load(self.path, map_location='cpu') if self.path.exists() else None
        if stored:
            self.model.load_state_dict(stored['current'])
            self.step, self.seconds = stored['step'], stored['seconds']
        elif options.resume:
            self.model.load_state_dict(load_network(options.resume).state_dict())
        else:
            self.model.load_start(options.start)
        self.model.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.model).eval()
        self.optimizer = torch.optim.AdamW(parameter_groups(self.model, options.head_rate, options.body_rate, 0.02))
        if stored:
            self.average.load_state_dict(stored['model'])
            self.optimizer.load_state_dict(stored['optimizer'])
        self.parameters = [p for group in self.optimizer.param_groups for p in group['params']]
        self.earlier = EarlierNetwork(options.earlier) if options.earlier else None
        self.teachers = [load_network(path).to(memory_format=torch.channels_last) for path in options.teachers]

    def advance(self, batch, progress):
        """One step of the optimiser; returns both losses."""
        options = self.options
        rate = min(1, (self.step + 1) / 60) * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * progress)))
        for group in self.optimizer.param_groups:
            group['lr'] = group['base'] * rate
        soft = soft_targets(self.teachers, self.earlier, batch)
        with torch.autocast('cpu', dtype=torch.bfloat16):
            tags, drawn = self.model(batch['images'])
        losses = tag_loss(tags, batch, soft, options.taught_share), outline_loss(drawn.float(), batch['outline'], batch['pixels'])
        self.optimizer.zero_grad(set_to_none=False)
        (losses[0] + OUTLINE_WEIGHT * losses[1]).backward()
        average_gradients(self.parameters, options.processes)
        torch.nn.utils.clip_grad_norm_(self.parameters, 5.0)
        self.optimizer.step()
        self.step += 1
        keep = min(options.average, (1 + self.step) / (10 + self.step))
        if self.rank == 0:
            with torch.no_grad():
                for mean, value in zip(self.average.state_dict().values(), self.model.state_dict().values()):
                    mean.lerp_(value, 1 - keep)
        return [float(loss) for loss in losses]

    def save(self):
        temporary = self.path.with_suffix('.new')
        torch.save({
            'body': self.options.body, 'model': self.average.state_dict(), 'current': self.model.state_dict(), 'step': self.step,
            'seconds': self.seconds, 'optimizer': self.optimizer.state_dict()}, temporary)
        temporary.replace(self.path)
