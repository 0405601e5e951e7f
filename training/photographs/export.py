"""Writes network.json, weights.bin and test vectors: python3 export.py --network FILE --photos DIR --cache DIR --out DIR

Batch norm is folded; weights are 8-bit, symmetric per output channel. The format is described in FORMAT.md beside the inference engine.
"""
import argparse
import gzip
import json
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from augment import render, view_matrix
from data import CANVAS, HEADS, OUTSIDE, load_arrays, read_labels, split_dev
from evaluate import CROP_MARGIN, SECOND_WEIGHT
from model import SMOOTH, GarmentNet, load_network


def fold(conv, norm):
    """Weight and bias of a convolution with its batch norm folded in."""
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return conv.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale


def list_layers(model):
    """Layers in execution order as dictionaries; convolutions carry float `weight` and `bias`."""
    layers, levels = [], {}

    def add(name, op, inputs, **fields):
        layers.append({'name': name, 'op': op, 'inputs': inputs, **fields})
        return name

    def convolve(name, source, conv, norm, activation):
        weight, bias = fold(conv, norm)
        op = 'depthwise' if conv.groups > 1 else 'pointwise' if conv.kernel_size == (1, 1) else 'conv3x3'
        return add(name, op, [source], channels=conv.out_channels, stride=conv.stride[0], activation=activation, weight=weight, bias=bias)

    x = convolve('stem', 'input', model.body[0][0], model.body[0][1], 'relu6')
    for index in range(1, 18):
        block, source, name = model.body[index], x, f'block{index}'
        parts = block.conv
        if len(parts) == 4:
            x = convolve(f'{name}.expand', x, parts[0][0], parts[0][1], 'relu6')
        x = convolve(f'{name}.depthwise', x, parts[-3][0], parts[-3][1], 'relu6')
        x = convolve(f'{name}.project', x, parts[-2], parts[-1], 'none')
        if block.use_res_connect:
            x = add(f'{name}.add', 'add', [source, x], channels=parts[-2].out_channels, activation='none')
        levels[index] = x
    last = convolve('last', x, model.body[18][0], model.body[18][1], 'relu6')
    y = convolve('lateral17', levels[17], *model.laterals['17'][:2], 'none')
    for index, (inner, _) in SMOOTH.items():
        y = add(f'up{index}', 'upsample2x', [y], channels=inner, mode='nearest')
        lateral = convolve(f'lateral{index}', levels[index], *model.laterals[str(index)][:2], 'none')
        y = add(f'sum{index}', 'add', [y, lateral], channels=inner, activation='none')
        for part, name in zip(model.smooth[str(index)], ('depthwise', 'pointwise')):
            y = convolve(f'smooth{index}.{name}', y, part[0], part[1], 'relu6')
    add('outline', 'pointwise', [y], channels=1, stride=1, activation='none', weight=model.outline.weight, bias=model.outline.bias)
    add('pool', 'pool', [last], channels=1280)
    at = 0
    for head, classes in HEADS.items():
        end = at + len(classes)
        add(head, 'dense', ['pool'], channels=len(classes), weight=model.heads.weight[at:end], bias=model.heads.bias[at:end])
        at = end
    return layers


def quantise(layer):
    """Adds `levels` (int8) and `scales`, and replaces the float weight by the rounded one."""
    weight = layer['weight'].flatten(1)
    scales = weight.abs().amax(dim=1).clamp(min=1e-12) / 127
    levels = torch.round(weight / scales[:, None]).clamp(-127, 127)
    layer['levels'], layer['scales'] = levels.reshape(layer['weight'].shape).to(torch.int8), scales
    layer['weight'] = (levels * scales[:, None]).reshape(layer['weight'].shape)


def forward(layers, images, watch=None):
    """Runs the layer list; returns all dense outputs and the outline. `watch(name, tensor)` sees every tensor."""
    values = {'input': images}
    for layer in layers:
        x, op = values[layer['inputs'][0]], layer['op']
        if op in ('conv3x3', 'depthwise', 'pointwise'):
            weight = layer['weight']
            x = F.conv2d(x, weight, layer['bias'], layer['stride'], weight.shape[-1] // 2, groups=layer['channels'] if op == 'depthwise' else 1)
        elif op == 'add':
            x = x + values[layer['inputs'][1]]
        elif op == 'upsample2x':
            x = F.interpolate(x, scale_factor=2, mode='nearest')
        elif op == 'pool':
            x = x.mean(dim=(2, 3))
        else:
            x = F.linear(x, layer['weight'], layer['bias'])
        if layer.get('activation') == 'relu6':
            x = x.clamp(0, 6)
        values[layer['name']] = x
        if watch:
            watch(layer['name'], x)
    return {head: values[head] for head in HEADS}, values['outline']


def measure_ranges(layers, images):
    """One and a half times the largest |x| by layer: activations have bits to spare, and nothing is cut off."""
    ranges = {}

    def watch(name, x):
        ranges[name] = max(ranges.get(name, 0.0), 1.5 * float(x.abs().max()))

    with torch.no_grad():
        for start in range(0, len(images), 16):
            forward(layers, images[start:start + 16], watch)
    return ranges


def write(layers, ranges, out, sizes, extra):
    """Writes network.json and weights.bin. Returns their gzipped size."""
    order = {'conv3x3': (0, 2, 3, 1), 'depthwise': (2, 3, 0, 1), 'pointwise': (0, 1, 2, 3), 'dense': (0, 1)}
    blob, described = bytearray(), []
    for layer in layers:
        entry = {key: layer[key] for key in ('name', 'op', 'inputs', 'channels', 'stride', 'activation', 'mode') if key in layer}
        if layer['op'] != 'pool':
            entry['range'] = 6 if layer.get('activation') == 'relu6' else 24 if layer['name'] == 'outline' else round(ranges[layer['name']], 4)
        if 'levels' in layer:
            entry['weights'] = len(blob)
            blob += layer['levels'].permute(order[layer['op']]).contiguous().numpy().tobytes()
            blob += bytes(-len(blob) % 4)
            for key in ('scales', 'bias'):
                entry['biases' if key == 'bias' else key] = len(blob)
                blob += layer[key].detach().numpy().astype('<f4').tobytes()
        described.append(entry)
    network = {
        'version': 1, 'input': {'name': 'input', 'sizes': sizes, 'channels': 3, 'mean': [0, 0, 0], 'deviation': [1, 1, 1], 'range': 1},
        'layers': described, 'heads': [{'name': head, 'layer': head, 'classes': classes} for head, classes in HEADS.items()],
        'outline': {'layer': 'outline', 'stride': 2}, **extra}
    (out / 'network.json').write_text(json.dumps(network, indent=1))
    (out / 'weights.bin').write_bytes(blob)
    return len(gzip.compress(bytes(blob), 9))


def write_vectors(layers, float_layers, canvases, sizes, out):
    folder = out / 'vectors'
    folder.mkdir(parents=True, exist_ok=True)
    for index, (canvas, size) in enumerate(zip(canvases, sizes)):
        image = render(canvas, view_matrix((CANVAS / 2, CANVAS / 2), CANVAS, size), size, (OUTSIDE,) * 3)
        batch = torch.from_numpy(image).permute(2, 0, 1)[None].float() / 255
        with torch.no_grad():
            tags, outline = forward(layers, batch)
            exact, _ = forward(float_layers, batch)
        (folder / f'{index}.rgb').write_bytes(image.tobytes())
        (folder / f'{index}.json').write_text(json.dumps({
            'size': size, 'heads': {head: values[0].tolist() for head, values in tags.items()},
            'headsFloat': {head: values[0].tolist() for head, values in exact.items()}, 'outline': outline.flatten().tolist()}))


class Rounded:
    """The exported layers as a callable, for evaluate.py."""

    def __init__(self, layers):
        self.layers = layers

    def __call__(self, images):
        return forward(self.layers, images)


def load_rounded(path):
    """(float layers, rounded layers) of a trained network.pt."""
    model = GarmentNet().eval()
    load_network(model, path)
    with torch.no_grad():
        exact, rounded = list_layers(model), list_layers(model)
        for layer in rounded:
            if 'weight' in layer:
                quantise(layer)
    return exact, rounded


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('network', 'photos', 'cache', 'out'):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--sizes', type=int, nargs='+', default=[192, 256])
    options = parser.parse_args()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    exact, rounded = load_rounded(options.network)
    images = load_arrays(options.photos, options.cache)[0]
    rest, _ = split_dev(read_labels(options.photos))
    chosen = np.random.default_rng(5).permutation(len(rest))[:200]
    canvases = [images[rest[i]['row']] for i in chosen]
    views = [render(c, view_matrix((CANVAS / 2, CANVAS / 2), CANVAS * (0.6 if i % 2 else 1), options.sizes[0]), options.sizes[0], (OUTSIDE,) * 3) for i, c in enumerate(canvases)]
    ranges = measure_ranges(rounded, torch.from_numpy(np.stack(views)).permute(0, 3, 1, 2).float() / 255)
    looks = {'looks': {'cropMargin': CROP_MARGIN, 'secondWeight': SECOND_WEIGHT, 'outside': OUTSIDE}}
    size = write(rounded, ranges, out, options.sizes, looks)
    write_vectors(rounded, exact, canvases[:4], [options.sizes[0]] * 3 + [options.sizes[-1]], out)
    print(json.dumps({'gzipped': size, 'widest': sorted(((round(v, 1), k) for k, v in ranges.items()), reverse=True)[:5]}))


if __name__ == '__main__':
    main()
