"""Chooses the rows of batches, and converts samples to tensors."""
from collections import Counter

import numpy as np
import torch

from samples.augment import colour_target, fit_mask
from samples.views import to_batch
from sets.classes import ALL_HEADS, TYPES, class_index

# Default share of each source in a batch.
SOURCES = {'home': 0.45, 'studio': 0.25, 'worn': 0.08, 'drawings': 0.03, 'doll': 0.07, 'negative': 0.10, 'several': 0.02}
BALANCE, GROUP_BALANCE = {'worn': 0.5}, 0.15  # a type with n photographs is drawn in proportion to n ** (1 - BALANCE), and likewise a group
USUAL_BALANCE = 0.3


def draw_weights(rows, balance):
    """Returns the probability of drawing each row."""
    counts = np.bincount([class_index(row, 'type') + 1 for row in rows], minlength=len(TYPES) + 1)
    groups = Counter(row['group'] for row in rows)
    weights = np.array([
        counts[class_index(row, 'type') + 1] ** -balance * groups[row['group']] ** -GROUP_BALANCE for row in rows])
    return weights / weights.sum()


class Plan:
    """Draws rows for batches. Within a round through a source, rows repeat only according to their weights."""

    def __init__(self, rows, shares, seed):
        self.generator = np.random.default_rng(seed)
        self.shares = SOURCES | shares
        self.sources = {}
        for name in SOURCES:
            own = [row for row in rows if row['source'] == name]
            self.sources[name] = own or [name]
        self.weights = {name: draw_weights(own, BALANCE.get(name, USUAL_BALANCE)) if len(own) > 1 else np.ones(1) for name, own in self.sources.items()}
        self.queues = {name: [] for name in SOURCES}

    def next_of(self, name):
        if not self.queues[name]:
            weights = self.weights[name] * len(self.weights[name])
            copies = np.floor(weights + self.generator.random(len(weights))).astype(int)
            self.queues[name] = list(self.generator.permutation(np.repeat(np.arange(len(weights)), copies)))
            return self.next_of(name)
        return self.sources[name][self.queues[name].pop()]

    def batch(self, size):
        names = self.generator.choice(list(self.shares), size, p=list(self.shares.values()))
        return [self.next_of(str(name)) for name in names]


def make_batch(sampler, rows):
    samples = [sampler.sample(row) for row in rows]
    return {
        'at_home': torch.tensor([isinstance(row, dict) and row['set'] in ('home', 'drawings') for row in rows]),
        'images': to_batch([s[0] for s in samples]),
        'outline': torch.from_numpy(np.stack([s[1] for s in samples])).float()[:, None] / 255,
        'pixels': torch.from_numpy(np.stack([s[2] * np.float32(s[3]) for s in samples]))[:, None],
        'targets': {head: torch.tensor([s[4][head] for s in samples]) for head in ALL_HEADS},
        'weights': {head: torch.tensor([s[5][head] for s in samples]) for head in ALL_HEADS},
        'colours': torch.from_numpy(np.stack([colour_target(s[6]) for s in samples])),
        'fits': torch.from_numpy(np.stack([fit_mask(s[6]) for s in samples]))}
