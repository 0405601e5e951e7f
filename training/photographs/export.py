"""Writes network.json, the weights and test vectors: python3 export.py --network FILE --photos DIR --cache DIR --out DIR

Networks without an option of their own are copied unchanged from the exported network in --kept, and so are the label head and the
orientation head, which must then be trained again. Batch norm is folded. Weights have 8 bits, symmetric per output channel, and
activations 7 bits. src/vision/network/network.ts describes the format.
"""
import argparse
import gzip
import json
from pathlib import Path

import numpy as np
import torch

from sets.classes import HEADS
from sets.data import CANVAS, OUTSIDE, load_arrays, read_labels
from evaluate import NECK_WEIGHTS
from network.landmarks import REACH, SIZE as LANDMARK_SIZE, load_landmarks
from network.layers import count_macs, forward, list_classifier, list_landmarks, list_layers, quantise
from network.model import load_network
from network.near import NEAR_HEADS, SIZE as NEAR_SIZE, load_near
from network.neck import SIZE as NECK_SIZE, load_neck
from network.small import LEVELS as SMALL_LEVELS
from network.weights import read_weights, write_weights
from sets.points import POINTS
from sets.splits import split
from samples.neck_views import neck_view
from samples.views import box_of, crop_view, render, view_matrix, to_batch

LOGITS = {'outline': 24, 'landmarks': 32}  # ranges of layers with 16-bit outputs
NETWORKS = 'landmarks', 'near', 'neck'  # beside the first one
ORDER = {'conv3x3': (0, 2, 3, 1), 'depthwise': (2, 3, 0, 1), 'pointwise': (0, 1, 2, 3), 'dense': (0, 1)}


def best_range(values):
    """Returns the clipping range with the least squared error when rounding to 63 levels."""
    candidates = [float(values.max()) * 0.95 ** power for power in range(32)]
    errors = [float((values - (values / most * 63).round().clamp(max=63) * most / 63).square().mean()) for most in candidates]
    return candidates[int(np.argmin(errors))]


def measure_ranges(layers, batches, normalisation):
    """Returns {layer: best range}, from a sample of its outputs."""
    samples = {}

    def watch(name, x):
        samples.setdefault(name, []).append(x.abs().flatten()[::61])

    with torch.no_grad():
        for images in batches:
            forward(layers, images, *normalisation, watch)
    return {name: best_range(torch.cat(parts)) for name, parts in samples.items()}


def copy_layers(name, exported, weights, described, blob):
    """Copies the layers of a network or a head from an exported network to the end of `described` and `blob`."""
    for layer in exported['layers']:
        if layer['name'].split('.')[0] != name:
            continue
        if 'weights' in layer:
            start, end = layer['weights'], layer['biases'] + 4 * layer['channels']
            layer |= {key: layer[key] - start + len(blob) for key in ('weights', 'scales', 'biases')}
            blob += weights[start:end]
        described.append(layer)


def write(layers, ranges, out, normalisation, extra, kept):
    """Writes network.json and the weights. Returns their gzipped size in bytes."""
    blob, described = bytearray(), []
    for layer in layers:
        entry = {key: layer[key] for key in ('name', 'op', 'inputs', 'channels', 'kernel', 'stride', 'activation', 'mode') if key in layer}
        if layer['op'] != 'pool':
            entry['range'] = 6 if layer.get('activation') == 'relu6' else LOGITS.get(layer['name']) or round(ranges[layer['name']], 4)
        if 'levels' in layer:
            entry['weights'] = len(blob)
            blob += layer['levels'].permute(ORDER[layer['op']]).contiguous().numpy().tobytes()
            blob += bytes(-len(blob) % 4)
            for key in ('scales', 'bias'):
                entry['biases' if key == 'bias' else key] = len(blob)
                blob += layer[key].detach().numpy().astype('<f4').tobytes()
        described.append(entry)
    own_heads = [{'name': head, 'layer': head, 'classes': classes} for head, classes in HEADS.items()]
    if kept:
        exported, weights = json.loads((Path(kept) / 'network.json').read_text()), read_weights(kept)
        own_heads += [head for head in exported['heads'] if head['name'] not in HEADS]
        names = [name for name in NETWORKS if name not in extra]
        for name in [*names, 'label', 'contrast', 'orientation']:
            copy_layers(name, exported, weights, described, blob)
        extra = extra | {name: exported[name] for name in names}
    mean, deviation = normalisation
    network = {
        'version': 1, 'input': {'name': 'input', 'mean': mean, 'deviation': deviation},
        'layers': described, 'heads': own_heads,
        'outline': {'layer': 'outline', 'stride': 2}, **extra}
    (out / 'network.json').write_text(json.dumps(network, indent=1))
    write_weights(out, bytes(blob))
    return len(gzip.compress(bytes(blob), 9))


def write_vectors(layers, float_layers, canvases, sizes, normalisation, out):
    folder = out / 'vectors'
    folder.mkdir(parents=True, exist_ok=True)
    for index, (canvas, size) in enumerate(zip(canvases, sizes)):
        image = render(canvas, view_matrix((CANVAS / 2, CANVAS / 2), CANVAS, size), size, (OUTSIDE,) * 3)
        batch = torch.from_numpy(image).permute(2, 0, 1)[None].float() / 255
        with torch.no_grad():
            tags, outline = forward(layers, batch, *normalisation)
            exact, _ = forward(float_layers, batch, *normalisation)
        (folder / f'{index}.rgb').write_bytes(image.tobytes())
        (folder / f'{index}.json').write_text(json.dumps({
            'size': size, 'heads': {head: values[0].tolist() for head, values in tags.items()},
            'headsFloat': {head: values[0].tolist() for head, values in exact.items()}, 'outline': outline.flatten().tolist()}))


class Rounded:
    """Exported layers as a callable, for evaluate.py."""

    def __init__(self, layers, normalisation):
        self.layers, self.normalisation = layers, normalisation

    def __call__(self, images):
        return forward(self.layers, images, *self.normalisation)


def load_rounded(path):
    """Returns (float layers, rounded layers, (mean, deviation) of the input) of a network.pt."""
    model = load_network(path)
    with torch.no_grad():
        exact, rounded = list_layers(model), list_layers(model)
        for layer in rounded:
            if 'weight' in layer:
                quantise(layer)
    return exact, rounded, (model.mean, model.deviation)


def round_small(layers, views, normalisation):
    """Rounds the layers' weights in place. Returns their ranges."""
    with torch.no_grad():
        for layer in layers:
            if 'weight' in layer:
                quantise(layer, SMALL_LEVELS)
    return measure_ranges(layers, to_batch(views).split(16), normalisation)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('network', 'photos', 'cache', 'out'):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--landmarks', help='a landmarks.pt, for points of measure')
    parser.add_argument('--near', help='a near.pt, the second network')
    parser.add_argument('--neck', help='a neck.pt, for the look at the neckline')
    parser.add_argument('--kept', help='folder of an exported network, from which networks that are not given are copied')
    parser.add_argument('--sizes', type=int, nargs='+', default=[192, 256])
    options = parser.parse_args()
    torch.set_num_threads(1)
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    exact, rounded, normalisation = load_rounded(options.network)
    (images, masks, *_), (train, _) = load_arrays(options.photos, options.cache), split(read_labels(options.photos))
    chosen = [train[i] for i in np.random.default_rng(5).permutation(len(train))[:160]]
    canvases = [images[row['row']] for row in chosen]
    views = [render(c, view_matrix((CANVAS / 2, CANVAS / 2), CANVAS * (0.6 if i % 2 else 1), options.sizes[0]), options.sizes[0], (OUTSIDE,) * 3) for i, c in enumerate(canvases)]
    ranges = measure_ranges(rounded, to_batch(views).split(16), normalisation)
    extra = {}
    written, boxes = rounded, [box_of(masks[row['row']]) for row in chosen]

    def add(layers, view, size):
        views = [view(canvas, box, size) for canvas, box in zip(canvases, boxes)]
        return ranges | round_small(layers, views, normalisation), written + layers

    if options.landmarks:
        ranges, written = add(list_landmarks(load_landmarks(options.landmarks)), crop_view, LANDMARK_SIZE)
        extra['landmarks'] = {'layer': 'landmarks', 'presence': 'landmarks.presence', 'names': POINTS, 'reach': REACH}
    for name, path, load, heads, view, own_size in (
            ('near', options.near, load_near, NEAR_HEADS, crop_view, NEAR_SIZE), ('neck', options.neck, load_neck, NECK_WEIGHTS, neck_view, NECK_SIZE)):
        if path:
            ranges, written = add(list_classifier(load(path), name, heads), view, own_size)
            extra[name] = {'heads': [{'name': head, 'layer': f'{name}.{head}', 'classes': HEADS[head]} for head in heads]}
    size = write(written, ranges, out, normalisation, extra, options.kept)
    write_vectors(rounded, exact, canvases[:4], [options.sizes[0]] * 3 + [options.sizes[-1]], normalisation, out)
    macs = {edge: round(count_macs(rounded, edge) / 1e9, 3) for edge in options.sizes}
    print(json.dumps({'gzipped': size, 'gmac': macs, 'widest': sorted(((round(v, 1), k) for k, v in ranges.items()), reverse=True)[:5]}))


if __name__ == '__main__':
    main()
