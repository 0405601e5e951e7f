"""Quantises the folded network, fits its temperature, and writes the weights file and the test fixture."""

import base64
import json
import struct

import torch
import torch.nn.functional as F

from .data import CLASSES
from .model import BLOCKS, STEM, predict

MAGIC = b"GTN1"


def quantise(layers):
    """[(int8 weights, float scales per output channel, float biases)]: weight = int8 * scale, symmetric, no zero point."""
    quantised = []
    for weights, biases in layers:
        scales = weights.detach().abs().amax((1, 2, 3)).clamp(min=1e-12) / 127
        steps = torch.round(weights.detach() / scales[:, None, None, None]).clamp(-127, 127)
        quantised.append((steps.to(torch.int8), scales, biases.detach()))
    return quantised


def restore(quantised):
    """The layers that the service computes with."""
    return [(steps.float() * scales[:, None, None, None], biases) for steps, scales, biases in quantised]


def fit_temperature(logits, labels):
    """The divisor of the logits with the least negative log likelihood (arXiv 1706.04599), to 0.001."""
    candidates = torch.arange(0.3, 3.0, 0.001)
    losses = torch.stack([F.cross_entropy(logits / t, labels) for t in candidates])
    return round(float(candidates[losses.argmin()]), 3)


def expected_calibration_error(logits, labels, temperature, bins=15):
    top, answer = F.softmax(logits / temperature, 1).max(1)
    right = (answer == labels).float()
    place = (top * bins).long().clamp(max=bins - 1)
    return sum(float((top[place == b] - right[place == b]).sum().abs()) for b in range(bins)) / len(labels)


def write_weights(path, quantised, temperature):
    """Magic, header length (u32), JSON header, float32 scales and biases by layer, int8 weights [out, y, x, in] by layer.

    Little endian. Layers go stem; of each block first, second, shortcut where the stride is not 1; head.
    """
    header = {"classes": CLASSES, "stem": STEM, "blocks": [list(block) for block in BLOCKS], "temperature": temperature}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(MAGIC + struct.pack("<I", len(text)) + text)
        for _, scales, biases in quantised:
            file.write(scales.numpy().astype("<f4").tobytes() + biases.numpy().astype("<f4").tobytes())
        for steps, _, _ in quantised:
            file.write(steps.permute(0, 2, 3, 1).contiguous().numpy().tobytes())


def write_fixture(path, layers, images, labels, per_class=2):
    """The first `per_class` test images of each class with the quantised network's logits, computed here in double."""
    indices = [int(i) for c in range(len(CLASSES)) for i in (labels == c).nonzero()[:per_class, 0]]
    logits = predict([(weights.double(), biases.double()) for weights, biases in layers], images[indices].double())
    samples = [
        {
            "index": index,
            "label": int(labels[index]),
            "pixels": base64.b64encode((images[index] * 255).round().byte().numpy().tobytes()).decode(),
            "logits": [round(value, 6) for value in row],
        }
        for index, row in zip(indices, logits.tolist())
    ]
    with open(path, "w") as file:
        file.write("[\n" + ",\n".join("  " + json.dumps(sample) for sample in samples) + "\n]\n")
