"""Trains the item-type network. From the project's root, about half an hour on two free cores:

    /usr/bin/python3 src/vision/network/item-type/train.py

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

# Threads that spin while they wait for one another waste most of a busy machine. Read when torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

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
WARM_UP, SETTLE_AT, COSINE_END, EPOCHS = 4, 35, 50, 43
SETTLE_RATE = 0.048  # about where the cosine is at SETTLE_AT
WEIGHT_DECAY = 5e-4
LABEL_SMOOTHING = 0.03
AVERAGE_DECAY = 0.998  # of the weights' moving average, per step: about the last two epochs


def rate_at(epoch):
    """Learning rate by the epochs done: up in a line, down by a half cosine, and from `SETTLE_AT` in a line to 0."""
    if epoch < WARM_UP:
        return PEAK_RATE * (0.05 + 0.95 * epoch / WARM_UP)
    if epoch >= SETTLE_AT:
        return SETTLE_RATE * (EPOCHS - epoch) / (EPOCHS - SETTLE_AT)
    return PEAK_RATE * 0.5 * (1 + math.cos(math.pi * (epoch - WARM_UP) / (COSINE_END - WARM_UP)))


def follow(average, network):
    """Moves the averaged network, batch statistics included, a small step towards the trained one."""
    with torch.no_grad():
        for mean, value in zip(average.state_dict().values(), network.state_dict().values()):
            if mean.dtype.is_floating_point:
                mean.lerp_(value, 1 - AVERAGE_DECAY)


def make_optimiser(network):
    decayed = [p for p in network.parameters() if p.ndim > 1]
    free = [p for p in network.parameters() if p.ndim <= 1]
    groups = [{"params": decayed, "weight_decay": WEIGHT_DECAY}, {"params": free, "weight_decay": 0.0}]
    return torch.optim.SGD(groups, lr=PEAK_RATE, momentum=0.9, nesterov=True)


def train(images, labels, checkpoint, report):
    """The averaged network. Where `checkpoint` exists, goes on from there at `SETTLE_AT`, else leaves it there."""
    network = Network().to(memory_format=torch.channels_last)
    average = copy.deepcopy(network).eval()
    resumed = checkpoint is not None and checkpoint.exists()
    steps = len(images) // BATCH
    for epoch in range(SETTLE_AT if resumed else 0, EPOCHS):
        if epoch == SETTLE_AT:
            if resumed:
                average.load_state_dict(torch.load(checkpoint))
            elif checkpoint is not None:
                torch.save(average.state_dict(), checkpoint)
            # Settling starts from the average, and by a seed of its own, so that a resumed run ends as a whole one.
            network.load_state_dict(average.state_dict())
            torch.manual_seed(SEED + 1)
        if epoch == SETTLE_AT or epoch == 0:
            optimiser = make_optimiser(network)
        order, total = torch.randperm(len(images)), 0.0
        for step in range(steps):
            for group in optimiser.param_groups:
                group["lr"] = rate_at(epoch + step / steps)
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
    arguments.add_argument("--weights", type=pathlib.Path, default=HERE / "weights.bin")
    samples = HERE.parents[3] / "test/fixtures/fashion-mnist/samples.json"
    arguments.add_argument("--samples", type=pathlib.Path, default=samples)
    arguments.add_argument("--checkpoint", type=pathlib.Path, help="saved before settling; resumed from where it exists")
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
        if epoch % 5 == 0 or epoch == EPOCHS:
            seen = f"  held-out {accuracy(folded_layers(average), images[held], labels[held]):.4f}"
        print(f"epoch {epoch:3d}  loss {loss:.4f}{seen}  {time.time() - began:.0f} s", flush=True)

    average = train(images[kept], labels[kept], chosen.checkpoint, report)
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
