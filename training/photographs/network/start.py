"""Start weights for comparison: MobileNetV2 from the npm package nsfwjs (MIT)."""
import base64
import re
from pathlib import Path

import numpy as np
import torch

from network.body import copy_norm


def read_start(folder, name):
    """Reads tensors by Keras name from dist/models/NAME of the unpacked nsfwjs package in `folder`."""
    folder = Path(folder) / 'package/dist/models' / name
    source = (folder / 'model.min.js').read_text()
    entries = re.findall(
        r'name:"([^"]+)",shape:\[([\d,]*)\],dtype:"float32",quantization:\{min:([-\d.e]+),scale:([-\d.e]+),dtype:"uint8"\}',
        source[source.index('weightsManifest:'):])
    payloads = [max(re.findall(r'"([A-Za-z0-9+/=]{1000,})"', path.read_text()), key=len)
                for path in sorted(folder.glob('group1-shard*.min.js'))]
    values = np.frombuffer(b''.join(map(base64.b64decode, payloads)), np.uint8)
    tensors, offset = {}, 0
    for name, shape, low, scale in entries:
        shape = [int(side) for side in shape.split(',') if side]
        size = int(np.prod(shape))
        tensors[name] = (values[offset:offset + size].astype(np.float32) * float(scale) + float(low)).reshape(shape)
        offset += size
    if offset != len(values):
        raise ValueError(f'{len(values) - offset} bytes of the start weights were not assigned to a tensor')
    return tensors


def load_mobile(model, folder):
    """Copies the MobileNetV2 weights into the model's body."""
    tensors = {name: torch.from_numpy(values.copy()) for name, values in read_start(folder, 'mobilenet_v2').items()}

    def copy(layer, conv, norm, depthwise=False):
        kernel = tensors[f'{conv}/depthwise_kernel'].permute(2, 3, 0, 1) if depthwise else tensors[f'{conv}/kernel'].permute(3, 2, 0, 1)
        copy_norm(layer, kernel, *(tensors[f'{norm}/{part}'] for part in ('gamma', 'beta', 'moving_mean', 'moving_variance')))

    copy(model.stem, 'Conv1', 'bn_Conv1')
    copy(model.last, 'Conv_1', 'Conv_1_bn')
    for index, block in enumerate(model.blocks):
        prefix = f'block_{index}' if index else 'expanded_conv'
        if block.expand is not None:
            copy(block.expand, f'{prefix}_expand', f'{prefix}_expand_BN')
        copy(block.depthwise, f'{prefix}_depthwise', f'{prefix}_depthwise_BN', depthwise=True)
        copy(block.project, f'{prefix}_project', f'{prefix}_project_BN')
