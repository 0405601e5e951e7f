"""Trains the landmark decoder on a trained network, which stays as it is:
python3 train_landmarks.py --network FILE --photos DIR --cache DIR --stamps DIR --out DIR

Goes on from OUT/landmarks.pt when it is called again.
"""
import argparse
import copy
import json
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.distributed as dist

from sets.data import load_arrays, read_labels
from evaluate_landmarks import evaluate_landmarks
from network.landmarks import LandmarkDecoder, landmark_loss
from network.model import load_network
from sets.negatives import load_backgrounds, load_stamps
from samples.point_views import PointSampler, make_point_batch
from sets.points import read_points
from sets.splits import split, split_dev
from train import size_at
from trainer import average_gradients

DECAY = 0.02
PRESENCE_WEIGHT = 0.5


class LandmarkTrainer:
    """The decoder, its running average and its optimiser in one process."""

    def __init__(self, options, rank):
        self.options, self.rank, self.path = options, rank, Path(options.out) / 'landmarks.pt'
        self.network = load_network(options.network).to(memory_format=torch.channels_last)
        self.decoder = LandmarkDecoder(self.network).to(memory_format=torch.channels_last)
        self.step, self.seconds = 0, 0.0
        self.optimizer = torch.optim.AdamW(self.decoder.parameters(), lr=options.rate, weight_decay=DECAY)
        stored = torch.load(self.path, map_location='cpu') if self.path.exists() else None
        if stored:
            self.decoder.load_state_dict(stored['current'])
            self.optimizer.load_state_dict(stored['optimizer'])
            self.step, self.seconds = stored['step'], stored['seconds']
        elif options.start:
            self.decoder.load_state_dict(torch.load(options.start, map_location='cpu')['model'])
        self.average = copy.deepcopy(self.decoder).eval()
        if stored:
            self.average.load_state_dict(stored['model'])

    def advance(self, images, points, progress):
        for group in self.optimizer.param_groups:
            group['lr'] = self.options.rate * min(1, (self.step + 1) / 40) * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * progress)))
        with torch.autocast('cpu', dtype=torch.bfloat16):
            with torch.no_grad():
                levels, pooled = self.network.look(images)
                smoothed = self.network.smoothed(levels)
            maps, presence = self.decoder(levels, smoothed, pooled)
        losses = landmark_loss(maps, presence, points)
        self.optimizer.zero_grad(set_to_none=False)
        (losses[0] + PRESENCE_WEIGHT * losses[1]).backward()
        average_gradients(list(self.decoder.parameters()), self.options.processes)
        torch.nn.utils.clip_grad_norm_(self.decoder.parameters(), 5.0)
        self.optimizer.step()
        self.step += 1
        keep = min(self.options.average, (1 + self.step) / (10 + self.step))
        if self.rank == 0:
            with torch.no_grad():
                for mean, value in zip(self.average.state_dict().values(), self.decoder.state_dict().values()):
                    mean.lerp_(value, 1 - keep)
        return [float(loss) for loss in losses]

    def save(self):
        temporary = self.path.with_suffix('.new')
        torch.save({
            'model': self.average.state_dict(), 'current': self.decoder.state_dict(), 'optimizer': self.optimizer.state_dict(),
            'step': self.step, 'seconds': self.seconds}, temporary)
        temporary.replace(self.path)


def load_data(options, rank):
    """(rows with points to train on, held-out rows with points by set, arrays, sampler)."""
    rows, arrays = read_labels(options.photos), load_arrays(options.photos, options.cache)
    backgrounds = load_backgrounds(split_dev(rows)[0], arrays[0], arrays[1], arrays[3], options.cache, 'backgrounds-train')
    train, held = split(rows)
    train = read_points(options.photos, train, arrays[3])
    held = {name: read_points(options.photos, own, arrays[3]) for name, own in held.items() if name != 'worn'}
    sampler = PointSampler(train, arrays, backgrounds, load_stamps(options.stamps, 'train'), options.seed * 100 + rank)
    return train, held, arrays, sampler


def work(rank, options):
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=str(options.port))
    dist.init_process_group('gloo', rank=rank, world_size=options.processes)
    torch.manual_seed(options.seed)
    rows, held, arrays, sampler = load_data(options, rank)
    trainer = LandmarkTrainer(options, rank)
    generator, share = np.random.default_rng(options.seed * 10 + trainer.step), options.batch // options.processes
    began, earlier, sums, order = time.time(), trainer.seconds, np.zeros(2), []
    log = open(Path(options.out) / 'log.jsonl', 'a')
    while True:
        trainer.seconds = earlier + time.time() - began
        progress = torch.tensor(max(trainer.step / options.steps, trainer.seconds / (60 * options.minutes) if options.minutes else 0.0))
        dist.broadcast(progress, 0)
        last = float(progress) >= 1
        if rank == 0 and trainer.step and (last or trainer.step % options.save_every == 0):
            trainer.save()
            line = {'step': trainer.step, 'seconds': round(trainer.seconds), 'progress': round(float(progress), 3), 'size': sampler.size,
                    'place': round(sums[0] / options.save_every, 3), 'presence': round(sums[1] / options.save_every, 4)}
            sums[:] = 0
            if last:
                line |= {name: evaluate_landmarks(trainer.network, trainer.average, own, arrays) for name, own in held.items()}
            print(json.dumps(line), file=log, flush=True)
        if last:
            break
        sampler.size = size_at(options.sizes, float(progress))
        if len(order) < options.batch:
            order = list(generator.permutation(len(rows)))
        chosen = [order.pop() for _ in range(options.batch)][rank * share:(rank + 1) * share]
        sums += trainer.advance(*make_point_batch(sampler, [rows[index] for index in chosen]), float(progress))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('network', 'photos', 'cache', 'stamps', 'out'):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--start', help='a landmarks.pt to begin with')
    parser.add_argument('--minutes', type=float, default=0, help='ends after this time at the latest; the learning rate follows')
    parser.add_argument('--sizes', type=json.loads, default=[[192, 0.5], [256, 1]])
    for name, value in (('steps', 1500), ('batch', 48), ('processes', 2), ('seed', 1), ('port', 29521), ('save-every', 50)):
        parser.add_argument(f'--{name}', type=int, default=value)
    for name, value in (('rate', 3e-3), ('average', 0.995)):
        parser.add_argument(f'--{name}', type=float, default=value)
    options = parser.parse_args()
    Path(options.out).mkdir(parents=True, exist_ok=True)
    load_data(options, 0)
    torch.multiprocessing.spawn(work, (options,), options.processes)


if __name__ == '__main__':
    main()
