"""Trains the item-type network. From the project's root, about an hour on two cores:

    /usr/bin/python3 src/tagging/embedded/network/train.py

Needs Debian's python3-torch and dataset-fashion-mnist, no graphics card. Writes weights.bin beside this file and the
samples that the unit tests compare with. The test set is only read to write those samples and to print the final
figures; nothing is chosen by it. Seeds are fixed; another processor or PyTorch may round otherwise.
"""

import argparse
import copy
import math
import os
import pathlib
import time

import torch
import torch.nn.functional as F

from recipe.augment import augment
from recipe.data import hold_out, read_split
from recipe.export import expected_calibration_error, fit_temperature, quantise, restore, write_fixture, write_weights
from recipe.model import Network, folded_layers, predict

HERE = pathlib.Path(__file__).resolve().parent
SEED = 20261121
HELD_OUT_PER_CLASS = 300
BATCH = 256
PEAK_RATE = 0.2
WEIGHT_DECAY = 5e-4
LABEL_SMOOTHING = 0.03
AVERAGE_DECAY = 0.998  # of the weights' moving average, per step: about the last two epochs


def rate_at(progress, warm_up=0.08):
    """Learning rate by the share of all steps done: up in a line, down by a half cosine."""
    if progress < warm_up:
        return PEAK_RATE * (0.05 + 0.95 * progress / warm_up)
    return PEAK_RATE * 0.5 * (1 + math.cos(math.pi * (progress - warm_up) / (1 - warm_up)))


def follow(average, network):
    """Moves the averaged network, batch statistics included, a small step towards the trained one."""
    with torch.no_grad():
        for mean, value in zip(average.state_dict().values(), network.state_dict().values()):
            if mean.dtype.is_floating_point:
                mean.lerp_(value, 1 - AVERAGE_DECAY)


def train(images, labels, epochs, report):
    network = Network().to(memory_format=torch.channels_last)
    average = copy.deepcopy(network).eval()
    decayed = [p for p in network.parameters() if p.ndim > 1]
    free = [p for p in network.parameters() if p.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": WEIGHT_DECAY}, {"params": free, "weight_decay": 0.0}]
    optimiser = torch.optim.SGD(groups, lr=PEAK_RATE, momentum=0.9, nesterov=True)
    steps = len(images) // BATCH
    for epoch in range(epochs):
        order, total = torch.randperm(len(images)), 0.0
        for step in range(steps):
            for group in optimiser.param_groups:
                group["lr"] = rate_at((epoch + step / steps) / epochs)
            picked = order[step * BATCH : (step + 1) * BATCH]
            x = augment(images[picked], labels[picked]).contiguous(memory_format=torch.channels_last)
            # bfloat16 halves the time on processors that have it, and the moving average takes out its noise.
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = network(x)
            loss = F.cross_entropy(logits.float(), labels[picked], label_smoothing=LABEL_SMOOTHING)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            follow(average, network)
            total += loss.item()
        report(epoch + 1, total / steps, average)
    return average


def main():
    arguments = argparse.ArgumentParser(description="Trains the item-type network.")
    arguments.add_argument("--epochs", type=int, default=50)
    arguments.add_argument("--weights", type=pathlib.Path, default=HERE / "weights.bin")
    samples = HERE.parents[3] / "test/fixtures/fashion-mnist/samples.json"
    arguments.add_argument("--samples", type=pathlib.Path, default=samples)
    arguments.add_argument("--checkpoint", type=pathlib.Path, help="where to save the unquantised network every 5 epochs")
    chosen = arguments.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(os.cpu_count() or 1)
    began, began_cpu = time.time(), time.process_time()

    images, labels = read_split("train")
    kept, held = hold_out(labels, HELD_OUT_PER_CLASS, SEED)

    def accuracy(layers, x, y):
        return float((predict(layers, x).argmax(1) == y).float().mean())

    def report(epoch, loss, average):
        seen = ""
        if epoch % 5 == 0 or epoch == chosen.epochs:
            seen = f"  held-out {accuracy(folded_layers(average), images[held], labels[held]):.4f}"
            if chosen.checkpoint:
                torch.save(average.state_dict(), chosen.checkpoint)
        print(f"epoch {epoch:3d}  loss {loss:.4f}{seen}  {time.time() - began:.0f} s", flush=True)

    average = train(images[kept], labels[kept], chosen.epochs, report)
    quantised = quantise(folded_layers(average))
    layers = restore(quantised)
    held_logits = predict(layers, images[held])
    temperature = fit_temperature(held_logits, labels[held])
    write_weights(chosen.weights, quantised, temperature)

    test_images, test_labels = read_split("t10k")
    chosen.samples.parent.mkdir(parents=True, exist_ok=True)
    write_fixture(chosen.samples, layers, test_images, test_labels)
    for name, logits, truth in [("held-out", held_logits, labels[held]), ("test", predict(layers, test_images), test_labels)]:
        right = float((logits.argmax(1) == truth).float().mean())
        print(f"{name}: top-1 {right:.4f}  ECE {expected_calibration_error(logits, truth, temperature):.4f}")
    unquantised = accuracy(folded_layers(average), test_images, test_labels)
    print(f"test before quantising {unquantised:.4f}  temperature {temperature}  weights {chosen.weights.stat().st_size} bytes")
    print(f"wall {(time.time() - began) / 60:.1f} min  CPU {(time.process_time() - began_cpu) / 60:.1f} min")


if __name__ == "__main__":
    main()
