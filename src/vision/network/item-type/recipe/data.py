"""Reads Fashion-MNIST as Debian's dataset-fashion-mnist package installs it."""

import gzip
import pathlib

import numpy
import torch

FOLDER = pathlib.Path("/usr/share/datasets/fashion-mnist")
CLASSES = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]


def read_idx(path, header_bytes):
    with gzip.open(path) as file:
        return numpy.frombuffer(file.read(), numpy.uint8, offset=header_bytes).copy()


def read_split(prefix, folder=FOLDER):
    """Images as float32 [n, 1, 28, 28] in 0..1 (garment bright on 0) and labels as int64 [n]."""
    images = read_idx(folder / f"{prefix}-images-idx3-ubyte.gz", 16).reshape(-1, 1, 28, 28)
    labels = read_idx(folder / f"{prefix}-labels-idx1-ubyte.gz", 8)
    return torch.from_numpy(images).float() / 255, torch.from_numpy(labels).long()


def hold_out(labels, per_class, seed):
    """Splits a training set by class: indices to learn from, and `per_class` of each class to calibrate with."""
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(seed))
    kept, held = [], []
    for label in range(len(CLASSES)):
        of_class = order[labels[order] == label]
        held.append(of_class[:per_class])
        kept.append(of_class[per_class:])
    return torch.cat(kept), torch.cat(held)
