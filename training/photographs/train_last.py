"""Trains only the last stages of a network, at a quarter of the cost of training all of it:
python3 train_last.py --kind network --network FILE --photos DIR --stamps DIR --drawings DIR --cache DIR --out DIR --minutes 30

One process runs the fixed stages on new views and stores their features below OUT. Another trains the last stages, the last
convolution and the heads on them. It can be stopped at any time: OUT/KIND.pt has the running average. The outline of the first
network is kept as it was.
"""
import argparse
import json
import os
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from learning import size_at
from network.fast import autocast
from network.losses import tag_loss
from network.model import load_network
from network.near import make_near
from network.neck import HEAD_WEIGHTS, make_neck
from samples.augment import Sampler, class_targets, class_weights
from samples.near_views import NearSampler
from samples.neck_views import sample_neck
from samples.plan import Plan, make_batch
from sets.classes import ALL_HEADS
from sets.data import load_arrays, read_labels
from sets.drawings import add_drawings
from sets.negatives import load_stamps, load_train_backgrounds
from sets.splits import HELD_FOLD, split

SHARD = 256  # views per stored file
KEPT_BLOCKS = {'network': 15, 'near': 11, 'neck': 5}  # fixed blocks: up to stride 16 of the first two, 8 of the third
SIZES = {'network': [[192, 1]], 'near': [[192, 1]], 'neck': [[128, 1]]}
SHARES = {
    'network': {'home': 0.29, 'studio': 0.17, 'worn': 0.38, 'doll': 0.05, 'negative': 0.09, 'several': 0.02, 'drawings': 0.0},
    'near': {'home': 0.33, 'studio': 0.20, 'worn': 0.40, 'doll': 0.05, 'negative': 0.0, 'several': 0.0, 'drawings': 0.02},
    'neck': {'home': 0.35, 'studio': 0.25, 'worn': 0.40, 'doll': 0.0, 'negative': 0.0, 'several': 0.0, 'drawings': 0.0}}
OUTLINE_HOLD = 1.0


class NeckSampler(Sampler):
    """Makes samples of necklines only."""

    def sample(self, row):
        nothing = np.zeros((self.size // 2, self.size // 2), np.float32)
        return sample_neck(self, row, self.size), nothing, nothing, 0.0, class_targets(row) | {'fit': -1}, class_weights(row), row


SAMPLERS = {'network': Sampler, 'near': NearSampler, 'neck': NeckSampler}


def load(kind, path):
    if kind == 'network':
        return load_network(path)
    model = make_near() if kind == 'near' else make_neck()
    return model.load(path)


def first_stages(model, kept, x):
    x = model.stem((x - model.mean) / model.deviation)
    for block in model.blocks[:kept]:
        x = block(x)
    return x


def last_stages(model, kept, x):
    """Returns ({head: logits}, output of the last block)."""
    for block in model.blocks[kept:]:
        x = block(x)
    pooled = model.last(x).float().mean(dim=(2, 3))
    names = list(ALL_HEADS) if hasattr(model, 'laterals') else model.names
    with torch.autocast('cpu', enabled=False):
        logits = model.heads(model.dropout(pooled)).split([len(ALL_HEADS[name]) for name in names], dim=1)
    return dict(zip(names, logits)), x


def produce(options, kept, out):
    """Writes features of the fixed stages until the time is over."""
    rows, arrays = read_labels(options.photos), load_arrays(options.photos, options.cache)
    backgrounds = load_train_backgrounds(rows, arrays, options.cache)
    train, _ = split(rows, options.fold)
    drawn, joined = add_drawings(options.drawings, arrays)
    existing = len(list(out.glob('shard-*.pt')))
    sampler = SAMPLERS[options.kind](train + drawn, joined, backgrounds, load_stamps(options.stamps, 'train'), options.seed * 1000 + existing)
    sampler.size = size_at(SIZES[options.kind], 0)
    plan, model, began = Plan(train + drawn, SHARES[options.kind], options.seed * 10 + existing), load(options.kind, options.network), time.time()
    for index in range(existing, options.shards):
        if time.time() - began > 60 * options.minutes:
            break
        parts = []
        for _ in range(SHARD // 32):
            batch = make_batch(sampler, plan.batch(32))
            with torch.no_grad(), autocast():
                seen = first_stages(model, kept, batch['images'])
                held = model.laterals['32'](last_stages(model, kept, seen)[1]) if options.kind == 'network' else None
            own = {key: batch[key] for key in ('targets', 'weights', 'colours', 'fits')}
            parts.append(own | {'seen': seen.to(torch.bfloat16), 'held': held if held is None else held.to(torch.bfloat16)})
        join = lambda key: torch.cat([part[key] for part in parts])
        shard = {key: join(key) for key in ('seen', 'colours', 'fits')} | {
            key: {head: torch.cat([part[key][head] for part in parts]) for head in ALL_HEADS} for key in ('targets', 'weights')}
        if options.kind == 'network':
            shard['held'] = join('held')
        torch.save(shard, out / 'new')
        (out / 'new').replace(out / f'shard-{index:03}.pt')


def draw(pool, generator, size):
    """Draws a batch of views from all stored files."""
    picks = [(int(shard), int(view)) for shard, view in zip(generator.integers(len(pool), size=size), generator.integers(SHARD, size=size))]
    take = lambda key: torch.stack([pool[shard][key][view] for shard, view in picks])
    heads = lambda key: {head: torch.stack([pool[shard][key][head][view] for shard, view in picks]) for head in ALL_HEADS}
    batch = {'targets': heads('targets'), 'weights': heads('weights'), 'colours': take('colours'), 'fits': take('fits')}
    seen = take('seen').contiguous(memory_format=torch.channels_last)
    return batch, seen, take('held').float() if 'held' in pool[0] else None


def train(options, kept, out):
    model = load(options.kind, options.network).to(memory_format=torch.channels_last)
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    changed = [*model.blocks[kept:], model.last, model.heads]
    for part in changed + [model.dropout]:
        part.train()
        for parameter in part.parameters():
            parameter.requires_grad_(True)
    groups = [
        {'params': [p for part in changed[:-1] for p in part.parameters()], 'base': options.body_rate},
        {'params': list(model.heads.parameters()), 'base': options.head_rate}]
    optimizer = torch.optim.AdamW([{**group, 'lr': group['base']} for group in groups], weight_decay=0.02)
    parameters = [p for group in groups for p in group['params']]
    average = {name: value.clone() for name, value in model.state_dict().items()}
    generator, began, step, pool, sums = np.random.default_rng(options.seed), time.time(), 0, [], []
    path, body = Path(options.out) / f'{options.kind}.pt', model.body_name
    log = open(Path(options.out) / 'log.jsonl', 'a')
    while True:
        if step % 25 == 0 or not pool:
            files = sorted(out.glob('shard-*.pt'))
            pool += [torch.load(file) for file in files[len(pool):]]
            if len(pool) < options.least:
                time.sleep(5)
                began = time.time()
                continue
        progress = max((time.time() - began) / (60 * options.minutes), step / options.steps)
        if progress >= 1 or step % 50 == 0:
            torch.save({'body': body, 'model': average}, path.with_suffix('.new'))
            path.with_suffix('.new').replace(path)
            print(json.dumps({'step': step, 'seconds': round(time.time() - began), 'shards': len(pool), 'loss': round(float(np.mean(sums[-50:] or [0])), 4)}),
                  file=log, flush=True)
        if progress >= 1:
            break
        rate = min(1, (step + 1) / 30) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * progress)))
        for group in optimizer.param_groups:
            group['lr'] = group['base'] * rate
        batch, seen, held = draw(pool, generator, options.batch)
        with autocast():
            logits, end = last_stages(model, kept, seen)
            drawn = model.laterals['32'](end) if held is not None else None
        wanted = {head: values for head, values in logits.items() if options.kind != 'neck' or head in HEAD_WEIGHTS}
        loss = tag_loss(wanted, batch, {}, 0.0)
        if drawn is not None:
            loss = loss + OUTLINE_HOLD * F.mse_loss(drawn.float(), held) / held.var()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 5.0)
        optimizer.step()
        step += 1
        sums.append(float(loss))
        keep = min(options.average, (1 + step) / (10 + step))
        with torch.no_grad():
            for name, value in model.state_dict().items():
                average[name].lerp_(value, 1 - keep)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--kind', choices=list(SHARES), required=True)
    for name in ('network', 'photos', 'stamps', 'drawings', 'cache', 'out'):
        parser.add_argument(f'--{name}', required=True)
    for name, value in {'fold': HELD_FOLD, 'seed': 1, 'steps': 4000, 'batch': 64, 'shards': 60, 'least': 4}.items():
        parser.add_argument(f'--{name}', type=int, default=value)
    for name, value in {'minutes': 30, 'head-rate': 8e-4, 'body-rate': 3e-4, 'average': 0.995}.items():
        parser.add_argument(f'--{name}', type=float, default=value)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    kept, out = KEPT_BLOCKS[options.kind], Path(options.out) / 'seen'
    out.mkdir(parents=True, exist_ok=True)
    child = os.fork()
    if child == 0:
        produce(options, kept, out)
        os._exit(0)
    train(options, kept, out)
    os.kill(child, 9)


if __name__ == '__main__':
    main()
