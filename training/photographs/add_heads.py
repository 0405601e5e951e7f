"""Adds heads to an exported network, or replaces them: python3 add_heads.py --exported DIR --heads FILE... --out DIR

The files come from train_label.py and train_orientation.py. OUT gets network.json, weights.json and networks/, to be copied like
those of export.py. All other layers stay as they are.
"""
import argparse
import json
from pathlib import Path

import torch

from network.layers import quantise
from network.weights import read_weights, write_weights


def remove_heads(description, blob, names):
    """Returns the blob without the named heads, which must be its last layers, and removes them from the description."""
    own = [layer for layer in description['layers'] if layer['name'] in names]
    description['layers'] = [layer for layer in description['layers'] if layer['name'] not in names]
    description['heads'] = [head for head in description['heads'] if head['name'] not in names]
    return blob[:min(layer['weights'] for layer in own)] if own else blob


def add_head(description, blob, name, head):
    """Appends a dense layer with 8-bit weights, and its head. Changes both arguments.

    The orientation head reads contrasts between opposite thirds of the last feature map, all others its channel means.
    """
    source = 'contrast' if name == 'orientation' else 'pool'
    if source not in [layer['name'] for layer in description['layers']]:
        features = next(layer['inputs'] for layer in description['layers'] if layer['name'] == 'pool')
        description['layers'].append({'name': source, 'op': source, 'inputs': features, 'channels': head['weight'].shape[1]})
    layer = {'weight': head['weight'], 'bias': head['bias']}
    quantise(layer)
    entry = {'name': name, 'op': 'dense', 'inputs': [source], 'channels': len(head['classes']), 'range': 1, 'weights': len(blob)}
    blob += layer['levels'].contiguous().numpy().tobytes()
    blob += bytes(-len(blob) % 4)
    for key, values in (('scales', layer['scales']), ('biases', layer['bias'])):
        entry[key] = len(blob)
        blob += values.numpy().astype('<f4').tobytes()
    description['layers'].append(entry)
    description['heads'].append({'name': name, 'layer': name, 'classes': head['classes']})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ('exported', 'out'):
        parser.add_argument(f'--{name}', required=True)
    parser.add_argument('--heads', nargs='+', required=True)
    options = parser.parse_args()
    folder, out = Path(options.exported), Path(options.out)
    heads = {name: head for path in options.heads for name, head in torch.load(path).items()}
    out.mkdir(parents=True, exist_ok=True)
    description = json.loads((folder / 'network.json').read_text())
    blob = bytearray(remove_heads(description, read_weights(folder), heads))
    for name, head in heads.items():
        add_head(description, blob, name, head)
    (out / 'network.json').write_text(json.dumps(description, indent=1))
    write_weights(out, bytes(blob))


if __name__ == '__main__':
    main()
