"""Common parts of all trainings: optimiser step, running average, checkpoint, and the loop with its log."""
import copy
import json
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.distributed as dist

from sets.splits import HELD_FOLD


def average_gradients(parameters, world):
    flat = torch.cat([p.grad.flatten() for p in parameters])
    dist.all_reduce(flat)
    flat /= world
    torch.nn.utils.vector_to_parameters(flat, [p.grad for p in parameters])


class Learner:
    """A model with its running average, optimiser and progress in one process. Resumes from `path` if it exists.

    Each group has its highest learning rate as `lr`. `warm_up` is in steps.
    """

    def __init__(self, model, groups, path, options, rank, warm_up):
        self.options, self.rank, self.path, self.warm_up = options, rank, Path(path), warm_up
        if options.resume:
            model.load_state_dict(torch.load(options.resume, map_location='cpu')['model'])
        self.model = model.to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.AdamW([{**group, 'base': group['lr']} for group in groups])
        self.parameters = [p for group in self.optimizer.param_groups for p in group['params']]
        self.step, self.seconds = 0, 0.0
        stored = torch.load(self.path, map_location='cpu') if self.path.exists() else None
        if stored:
            self.model.load_state_dict(stored['current'])
            self.optimizer.load_state_dict(stored['optimizer'])
            self.step, self.seconds = stored['step'], stored['seconds']
        self.average = copy.deepcopy(self.model).eval()
        if stored:
            self.average.load_state_dict(stored['model'])

    def optimise(self, loss, progress):
        """Takes one step. `progress` is the finished share of the training, 0 to 1."""
        rate = min(1, (self.step + 1) / self.warm_up) * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * progress)))
        for group in self.optimizer.param_groups:
            group['lr'] = group['base'] * rate
        self.optimizer.zero_grad(set_to_none=False)
        loss.backward()
        average_gradients(self.parameters, self.options.processes)
        torch.nn.utils.clip_grad_norm_(self.parameters, 5.0)
        self.optimizer.step()
        self.step += 1
        keep = min(self.options.average, (1 + self.step) / (10 + self.step))
        if self.rank == 0:
            with torch.no_grad():
                for mean, value in zip(self.average.state_dict().values(), self.model.state_dict().values()):
                    mean.lerp_(value, 1 - keep)

    def save(self):
        temporary = self.path.with_suffix('.new')
        torch.save({
            'model': self.average.state_dict(), 'current': self.model.state_dict(), 'optimizer': self.optimizer.state_dict(),
            'step': self.step, 'seconds': self.seconds, 'body': self.model.body_name}, temporary)
        temporary.replace(self.path)


def start(options, work, load_data=None):
    """Starts `work(rank, options)` in all processes. First calls `load_data(options, 0)`, so that only one process fills the caches."""
    Path(options.out).mkdir(parents=True, exist_ok=True)
    if load_data:
        load_data(options, 0)
    torch.multiprocessing.spawn(work, (options,), options.processes)


def join(rank, options):
    """Joins this process to the `options.processes` processes that train together."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=str(options.port))
    dist.init_process_group('gloo', rank=rank, world_size=options.processes)


def add_options(parser, files, counts, rates):
    """Adds options that all trainings have: required paths, and integers and floats with defaults."""
    for name in files:
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--resume', help='checkpoint of an earlier training, whose average is the start')
    parser.add_argument('--minutes', type=float, default=0, help='ends after this time at the latest. The learning rate follows')
    for name, value in {'processes': 2, 'fold': HELD_FOLD, **counts}.items():
        parser.add_argument(f'--{name}', type=int, default=value)
    for name, value in rates.items():
        parser.add_argument(f'--{name}', type=float, default=value)


def size_at(sizes, progress):
    """Returns the input size at `progress`. `sizes` are [size, until] pairs, the last until 1."""
    return next(size for size, until in sizes if progress < until or until >= 1)


def run(learner, sampler, advance, losses, evaluate):
    """Trains until the steps or minutes are over, with growing inputs.

    `advance(progress)` takes one step and returns the losses named in `losses`. `evaluate(last)` returns figures for the log.
    """
    options, began, earlier, sums = learner.options, time.time(), learner.seconds, np.zeros(len(losses))
    log = open(Path(options.out) / 'log.jsonl', 'a')
    while True:
        learner.seconds = earlier + time.time() - began
        share_of_time = learner.seconds / (60 * options.minutes) if options.minutes else 0.0
        progress = torch.tensor(max(learner.step / options.steps, share_of_time))
        dist.broadcast(progress, 0)
        progress = float(progress)
        last = progress >= 1
        if learner.rank == 0 and learner.step and (last or learner.step % options.save_every == 0):
            learner.save()
            line = {'step': learner.step, 'seconds': round(learner.seconds), 'progress': round(progress, 3), 'size': sampler.size}
            line |= {name: round(total / options.save_every, 4) for name, total in zip(losses, sums)}
            sums[:] = 0
            began_evaluation = time.time()
            line |= evaluate(last)
            began += time.time() - began_evaluation if not options.minutes else 0
            print(json.dumps(line), file=log, flush=True)
        if last:
            break
        sampler.size = size_at(options.sizes, progress)
        sums += advance(progress)
