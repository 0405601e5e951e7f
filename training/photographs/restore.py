"""Restores network.pt, near.pt, neck.pt and landmarks.pt from the exported networks, to train or export them again:
python3 restore.py --exported ../../src/vision/network --start DIR --out DIR

Weights stay rounded. The optimiser and the auxiliary heads, which are not exported, start anew.
"""
import argparse
import json
from pathlib import Path

import numpy as np
import torch

from network.landmarks import LandmarkNet
from network.layers import list_classifier, list_landmarks, list_layers
from network.model import GarmentNet
from network.near import NEAR_HEADS, make_near
from network.neck import make_neck
from network.weights import read_weights
from evaluate import NECK_WEIGHTS
from export import LOGITS


def read_parameters(layer, blob, shape):
    """Returns weight, as (out, in / groups, height, width) or (out, in), and bias of a layer."""
    levels = np.frombuffer(blob, np.int8, int(np.prod(shape)), layer['weights'])
    if layer['op'] == 'depthwise':
        levels = levels.reshape(*shape[2:], shape[0]).transpose(2, 0, 1)
    elif layer['op'] == 'conv3x3':
        levels = levels.reshape(shape[0], *shape[2:], shape[1]).transpose(0, 3, 1, 2)
    scales, bias = (torch.from_numpy(np.frombuffer(blob, '<f4', shape[0], layer[key]).copy()) for key in ('scales', 'biases'))
    weight = torch.from_numpy(levels.astype(np.float32)).reshape(shape)
    return weight * scales.reshape(-1, *[1] * (len(shape) - 1)), bias


def fill(layers, exported, blob):
    """Copies exported weights, biases and ranges into the parameters behind a list of layers."""
    with torch.no_grad():
        for layer in layers:
            own = exported[layer['name']]
            if layer.get('rounding') and layer['name'] not in LOGITS:
                layer['rounding'].range.fill_(own['range'])
            if 'weight' not in layer:
                continue
            shape = layer['weight'].shape
            if layer['op'] == 'dense':  # new classes start as the mean of all classes, with a lower bias
                weight, bias = read_parameters(own, blob, (own['channels'], shape[1]))
                layer['weight'][:own['channels']], layer['bias'][:own['channels']] = weight, bias
                layer['weight'][own['channels']:], layer['bias'][own['channels']:] = weight.mean(0), bias.mean() - 1
                continue
            weight, bias = read_parameters(own, blob, shape)
            layer['bias'].copy_(bias)
            if 'conv' in layer:
                layer['conv'].weight.copy_(weight / layer['conv'].scale[:, None, None, None])
            else:
                layer['weight'].copy_(weight)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('exported', 'start', 'out'):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--body', default='lite2', help='body of the first network')
    options = parser.parse_args()
    folder, out = Path(options.exported), Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    exported, blob = json.loads((folder / 'network.json').read_text()), read_weights(folder)
    by_name = {layer['name']: layer for layer in exported['layers']}

    def restore(name, model, start, layers_of):
        model.load_start(start)  # for the scales of the batch norms
        fill(layers_of(model), by_name, blob)
        torch.save({'body': model.body_name, 'model': model.state_dict()}, out / f'{name}.pt')

    restore('network', GarmentNet(options.body), options.start, list_layers)
    restore('near', make_near(), options.start, lambda model: list_classifier(model, 'near', NEAR_HEADS))
    restore('neck', make_neck(), options.start, lambda model: list_classifier(model, 'neck', NECK_WEIGHTS))
    restore('landmarks', LandmarkNet(), out / 'near.pt', list_landmarks)


if __name__ == '__main__':
    main()
