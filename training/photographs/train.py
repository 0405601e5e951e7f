"""Trains the garment network: python3 train.py --photos DIR --start DIR_OF_NSFWJS_MODEL --stamps DIR --out DIR

Eleven phases, each in its own folder below OUT: 160 px; 192 px with fixed batch norm and rounded weights; the same with
half of the dev people added; the same with drawings; a larger teacher; the network taught by it and by its former self;
a second teacher, taught by the network; the network taught by both and by its former self; that teacher once more at
224 px; the network at 224 px, taught by both; the same with all dev people.
Confidence is calibrated on the other half of the dev people, on which no phase but the last trains.

Data-parallel over single-threaded processes: on two shared cores this is faster than one process with two threads.
"""
import argparse
import copy
import json
import os
import time
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.distributed as dist
from torch.nn import functional as F

from augment import Sampler, colour_target
from data import ALL_HEADS, TYPES, calibration_part, class_index, load_arrays, read_labels, split_dev
from drawings import add_drawings
from evaluate import evaluate, summary
from model import GarmentNet, fix_norms, load_network
from negatives import load_backgrounds, load_stamps
from teacher import TEACHERS

FIXED = {'size': 192, 'fixed': True}
WIDE = FIXED | {'wide': True}
LATE = WIDE | {'drawn': True, 'head_rate': 5e-4, 'body_rate': 1.5e-4}
PHASES = {
    'first': {'size': 160, 'epochs': 16},
    'second': FIXED | {'epochs': 10, 'resume': 'first'},
    'last': WIDE | {'epochs': 16, 'resume': 'second'},
    'drawings': WIDE | {'epochs': 2, 'drawn': True, 'resume': 'last'},
    'teacher': WIDE | {'epochs': 12, 'drawn': True, 'body_rate': 2e-4},
    'taught': LATE | {'epochs': 12, 'resume': 'drawings', 'teachers': {'teacher': 0.35, 'drawings': 0.65}},
    'wide-teacher': WIDE | {'epochs': 14, 'drawn': True, 'teachers': {'taught': 1.0}},
    'taught-again': LATE | {
        'epochs': 12, 'body_rate': 2e-4, 'resume': 'taught', 'teachers': {'wide-teacher': 0.5, 'taught': 0.5}, 'taught_share': 0.75},
    'fine-teacher': LATE | {
        'size': 224, 'epochs': 6, 'resume': 'wide-teacher', 'teachers': {'wide-teacher': 0.5, 'taught-again': 0.5}},
    'fine': LATE | {
        'size': 224, 'epochs': 12, 'body_rate': 2e-4, 'resume': 'taught-again', 'teachers': {'fine-teacher': 0.6, 'taught-again': 0.4},
        'taught_share': 0.75, 'mixed_share': 0.3},
    'everyone': LATE | {
        'size': 224, 'epochs': 4, 'head_rate': 3e-4, 'body_rate': 1e-4, 'resume': 'fine',
        'teachers': {'fine-teacher': 0.5, 'fine': 0.5}, 'taught_share': 0.75, 'mixed_share': 0.3, 'everyone': True}}
HEAD_WEIGHTS = {'type': 1.0, 'pattern': 0.5, 'closure': 0.5, 'sleeve': 0.4, 'colour': 0.4, 'presence': 0.7, 'shown': 0.2,
                'source_label': 0.4, 'kids': 0.1}
OUTLINE_WEIGHT = 1.5
BALANCE, SENDER_BALANCE = 0.25, 0.15  # n photographs of a type are drawn in proportion to n ** (1 - BALANCE), likewise a sender's
TAUGHT = ('type', 'pattern', 'closure', 'sleeve', 'colour', 'shown', 'presence')  # heads that also learn from teachers
NEGATIVE_SHARE, SEVERAL_SHARE = 0.12, 0.02  # added to the photographs of an epoch


def draw_weights(rows):
    """How often each row is drawn per epoch, 1 on average."""
    counts = np.bincount([class_index(row, 'type') + 1 for row in rows], minlength=len(TYPES) + 1)
    senders = Counter(row['sender'] for row in rows)
    weights = np.array([
        counts[class_index(row, 'type') + 1] ** -BALANCE * senders[row['sender']] ** -SENDER_BALANCE for row in rows])
    return weights / weights.mean()


def epoch_plan(weights, generator):
    """Row numbers in random order; -1 stands for a negative, -2 for several garments."""
    copies = np.floor(weights + generator.random(len(weights))).astype(int)
    plan = np.concatenate([
        np.repeat(np.arange(len(weights)), copies),
        np.full(int(NEGATIVE_SHARE * len(weights)), -1), np.full(int(SEVERAL_SHARE * len(weights)), -2)])
    return generator.permutation(plan)


def make_batch(sampler, rows, numbers):
    samples = [sampler.negative() if n == -1 else sampler.several() if n == -2 else sampler.photograph(rows[n]) for n in numbers]
    images = torch.from_numpy(np.stack([s[0] for s in samples])).permute(0, 3, 1, 2).float() / 255
    outline = torch.from_numpy(np.stack([s[1] for s in samples])).float()[:, None] / 255
    pixel_weights = torch.from_numpy(np.stack([s[2] * s[3] for s in samples]))[:, None]
    targets = {head: torch.tensor([s[4][head] for s in samples]) for head in ALL_HEADS}
    weights = torch.tensor([s[5] for s in samples])
    colours = torch.from_numpy(np.stack([colour_target(max(0, s[4]['colour']), s[6]) for s in samples]))
    return images.contiguous(memory_format=torch.channels_last), outline, pixel_weights, targets, weights, colours


def tag_loss(logits, targets, weights, colours, soft, share):
    total = 0.0
    for head, values in logits.items():
        known = targets[head] >= 0
        if not known.any():
            continue
        if head == 'colour':
            losses = -(colours[known] * F.log_softmax(values[known], 1)).sum(1)
        else:
            losses = F.cross_entropy(values[known], targets[head][known], reduction='none', label_smoothing=0.05)
        if head in soft:
            losses = (1 - share) * losses - share * (soft[head][known] * F.log_softmax(values[known], 1)).sum(1)
        total = total + HEAD_WEIGHTS[head] * (losses * weights[known]).sum() / len(known)
    return total


def mix(images, share):
    """Lays pictures over each other in pairs (mixup, Zhang et al. 2018). What teachers say of these teaches more of what they know."""
    return (share * images + (1 - share) * images.flip(0)).contiguous(memory_format=torch.channels_last)


def mixed_loss(logits, soft):
    return sum(-HEAD_WEIGHTS[head] * (own * F.log_softmax(logits[head], 1)).sum(1).mean() for head, own in soft.items())


def outline_loss(logits, target, weights):
    """Cross-entropy plus dice, per picture over the pixels that count."""
    entropy = (F.binary_cross_entropy_with_logits(logits, target, reduction='none') * weights).mean()
    p, t, counted = torch.sigmoid(logits) * weights, target * weights, (weights.amax(dim=(1, 2, 3)) > 0).float()
    overlap = 2 * (p * t).sum(dim=(1, 2, 3)) + 20
    dice = 1 - overlap / (p.sum(dim=(1, 2, 3)) + t.sum(dim=(1, 2, 3)) + 20)
    return entropy + 0.5 * (dice * counted).mean()


def parameter_groups(model, head_rate, body_rate, decay):
    groups = {}
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            key = (body_rate if name.startswith('body.') else head_rate, decay if parameter.ndim > 1 else 0.0)
            groups.setdefault(key, []).append(parameter)
    return [{'params': own, 'lr': rate, 'base': rate, 'weight_decay': decay} for (rate, decay), own in groups.items()]


def average_gradients(parameters, world):
    flat = torch.cat([p.grad.flatten() for p in parameters])
    dist.all_reduce(flat)
    flat /= world
    torch.nn.utils.vector_to_parameters(flat, [p.grad for p in parameters])


def make_model(name, fixed):
    if name in TEACHERS:
        return TEACHERS[name]()
    model = GarmentNet()
    if fixed:
        fix_norms(model)
    return model


def first_model(options):
    """The network that a phase begins with."""
    model = make_model(options.name, False)
    model.load_start(options.start)
    if options.resume:
        load_network(model, Path(options.root) / options.resume / 'network.pt')
    if options.name not in TEACHERS:
        model.freeze_stem()
        if options.fixed:
            fix_norms(model)
    return model


def load_teacher(options, name):
    """The network of an earlier phase."""
    model = make_model(name, True)
    model.load_state_dict(torch.load(Path(options.root) / name / 'network.pt')['model'])
    return model.to(memory_format=torch.channels_last).eval()


def resize(images, size):
    if size == images.shape[-1]:
        return images
    return F.interpolate(images, size=(size, size), mode='bilinear', antialias=True).contiguous(memory_format=torch.channels_last)


def soft_targets(teachers, images):
    """Mean of the probabilities of teachers, (network, size, share) each, by head. Each sees the images at its own size."""
    with torch.no_grad(), torch.autocast('cpu', dtype=torch.bfloat16):
        answers = [(teacher(resize(images, size))[0], share) for teacher, size, share in teachers]
    return {head: sum(share * F.softmax(own[head].float(), 1) for own, share in answers) for head in TAUGHT}


def work(rank, options):
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    world, out, cache = options.processes, Path(options.out), Path(options.cache or Path(options.out) / 'cache')
    os.environ.update(MASTER_ADDR='127.0.0.1', MASTER_PORT=str(options.port))
    dist.init_process_group('gloo', rank=rank, world_size=world)
    rows = read_labels(options.photos)
    rest, dev = split_dev(rows)
    held = [] if options.everyone else calibration_part(dev) if options.wide else dev
    train = rest + [row for row in dev if row not in held]
    arrays = load_arrays(options.photos, cache)
    backgrounds = load_backgrounds(rest, arrays[0], arrays[1], arrays[3], cache, 'backgrounds-train')
    if options.drawn:
        drawn, arrays = add_drawings(options.drawings, len(rows), arrays)
        train += drawn
    sampler = Sampler(train, arrays, backgrounds, load_stamps(options.stamps, 'train'), options.size, options.seed * 100 + rank)
    model = first_model(options).to(memory_format=torch.channels_last)
    teachers = [(load_teacher(options, name), PHASES[name]['size'], share) for name, share in options.teachers.items()]
    average = copy.deepcopy(model).eval()
    optimizer = torch.optim.AdamW(parameter_groups(model, options.head_rate, options.body_rate, 0.02))
    parameters = [p for group in optimizer.param_groups for p in group['params']]
    generator, weights = np.random.default_rng(options.seed), draw_weights(train)
    steps_per_epoch = int(len(train) * (1 + NEGATIVE_SHARE + SEVERAL_SHARE)) // options.batch
    total, step, began = steps_per_epoch * options.epochs, 0, time.time()
    progress = torch.zeros(())
    for epoch in range(options.epochs):
        if progress > 1:
            break
        model.train()
        plan, sums = epoch_plan(weights, generator), np.zeros(2)
        for at in range(min(steps_per_epoch, len(plan) // options.batch)):
            progress = torch.tensor(max(step / total, (time.time() - began) / (60 * options.minutes) if options.minutes else 0.0))
            dist.broadcast(progress, 0)
            if progress > 1:
                break
            rate = min(1, (step + 1) / 60) * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * float(progress))))
            for group in optimizer.param_groups:
                group['lr'] = group['base'] * rate
            numbers = plan[at * options.batch:(at + 1) * options.batch][rank::world]
            images, outline, pixel_weights, targets, sample_weights, colours = make_batch(sampler, train, numbers)
            mixed = generator.random() < options.mixed_share
            if mixed:
                images, pixel_weights = mix(images, generator.random()), torch.zeros_like(pixel_weights)
            soft = soft_targets(teachers, images) if teachers else {}
            with torch.autocast('cpu', dtype=torch.bfloat16, enabled=options.fixed):
                tags, drawn = model(images)
            tags = {head: values.float() for head, values in tags.items()}
            losses = (mixed_loss(tags, soft) if mixed else tag_loss(tags, targets, sample_weights, colours, soft, options.taught_share),
                      torch.zeros(()) if drawn is None else outline_loss(drawn.float(), outline, pixel_weights))
            optimizer.zero_grad(set_to_none=False)
            (losses[0] + OUTLINE_WEIGHT * losses[1]).backward()
            average_gradients(parameters, world)
            torch.nn.utils.clip_grad_norm_(parameters, 5.0)
            optimizer.step()
            step, sums = step + 1, sums + [float(loss) for loss in losses]
            if rank == 0:
                keep = min(options.average, (1 + step) / (10 + step))
                with torch.no_grad():
                    for mean, value in zip(average.state_dict().values(), model.state_dict().values()):
                        mean.copy_(mean * keep + value * (1 - keep) if mean.is_floating_point() else value)
        last = epoch + 1 == options.epochs or progress > 1
        if rank == 0:
            line = {'epoch': epoch + 1, 'seconds': round(time.time() - began), 'tags': round(sums[0] / (at + 1), 3), 'outline': round(sums[1] / (at + 1), 3)}
            torch.save({'model': average.state_dict(), 'options': vars(options), 'epoch': epoch + 1}, out / 'network.pt')
            if held and ((epoch + 1) % options.evaluate_every == 0 or last):
                line |= summary(evaluate(average, held, arrays, options.size))
            print(json.dumps(line), flush=True)
            with open(out / 'log.jsonl', 'a') as file:
                file.write(json.dumps(line) + '\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('photos', 'start', 'stamps', 'drawings', 'out'):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--cache', help='folder for decoded photographs, default OUT/cache')
    parser.add_argument('--phase', nargs='+', choices=PHASES, default=list(PHASES), help='each continues from the one before')
    parser.add_argument('--epochs', type=int, help="instead of the phase's own number")
    parser.add_argument('--minutes', type=float, default=0, help='ends each phase after this time, its learning rate follows')
    for name, value in (('batch', 64), ('processes', 2), ('seed', 1), ('port', 29511), ('evaluate-every', 4)):
        parser.add_argument(f'--{name}', type=int, default=value)
    for name, value in (('head-rate', 1e-3), ('body-rate', 3e-4), ('average', 0.998)):
        parser.add_argument(f'--{name}', type=float, default=value)
    options = parser.parse_args()
    root = Path(options.out)
    options.cache = options.cache or str(root / 'cache')
    arrays = load_arrays(options.photos, options.cache)
    load_backgrounds(split_dev(read_labels(options.photos))[0], arrays[0], arrays[1], arrays[3], options.cache, 'backgrounds-train')
    for number, phase in enumerate(options.phase):
        settings = {'fixed': False, 'wide': False, 'drawn': False, 'teachers': {}, 'taught_share': 0.6, 'mixed_share': 0.0, 'everyone': False, 'resume': None} | PHASES[phase]
        own = vars(options) | settings | {'name': phase, 'root': str(root), 'out': str(root / phase), 'port': options.port + number}
        own |= {'epochs': options.epochs or settings['epochs'], 'seed': options.seed + list(PHASES).index(phase)}
        Path(own['out']).mkdir(parents=True, exist_ok=True)
        torch.multiprocessing.spawn(work, (argparse.Namespace(**own),), options.processes)


if __name__ == '__main__':
    main()
