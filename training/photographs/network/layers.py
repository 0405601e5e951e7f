"""Networks as lists of layers, as in network.json, and a forward pass over such a list."""
import torch
from torch.nn import functional as F

from sets.classes import HEADS
from network.body import level_scales
from network.landmarks import ENDS, WIDTHS
from network.model import SMOOTH


class Listing:
    """Layers in execution order, as dictionaries. Convolutions have float `weight` and `bias`, and `conv` if folded from one."""

    def __init__(self):
        self.layers = []

    def add(self, name, op, inputs, **fields):
        self.layers.append({'name': name, 'op': op, 'inputs': inputs, **fields})
        return name

    def convolve(self, name, source, conv):
        kernel = conv.kernel_size[0]
        op = 'depthwise' if conv.groups > 1 else 'pointwise' if kernel == 1 else 'conv3x3'
        fields = {'kernel': kernel} if op == 'depthwise' and kernel != 3 else {}
        return self.add(name, op, [source], channels=conv.out_channels, stride=conv.stride[0], activation='relu6' if conv.activation else 'none',
                        conv=conv, rounding=conv.rounding, weight=conv.folded(), bias=conv.bias, **fields)

    def blocks(self, model, prefix=''):
        """Adds stem and blocks. Returns the name of each block's output."""
        x, outputs = self.convolve(f'{prefix}stem', 'input', model.stem), []
        for index, block in enumerate(model.blocks):
            source, name = x, f'{prefix}block{index + 1}'
            if block.expand is not None:
                x = self.convolve(f'{name}.expand', x, block.expand)
            x = self.convolve(f'{name}.depthwise', x, block.depthwise)
            x = self.convolve(f'{name}.project', x, block.project)
            if block.bypass:
                x = self.add(f'{name}.add', 'add', [source, x], channels=block.project.out_channels, activation='none', rounding=block.rounding)
            outputs.append(x)
        return outputs

    def body(self, model, prefix=''):
        """Adds the body. Returns the name of its last convolution and of each block's output."""
        outputs = self.blocks(model, prefix)
        return self.convolve(f'{prefix}last', outputs[-1], model.last), outputs

    def classify(self, model, last, heads, prefix=''):
        """Adds average pooling of `last` and a dense layer for each head."""
        pool, at = self.add(f'{prefix}pool', 'pool', [last], channels=model.last.out_channels), 0
        for head in heads:
            end = at + len(HEADS[head])
            self.add(f'{prefix}{head}', 'dense', [pool], channels=end - at, weight=model.heads.weight[at:end], bias=model.heads.bias[at:end])
            at = end


def list_classifier(model, name, heads):
    """Lists the layers of a small classifier. `heads` must be its first heads."""
    listing = Listing()
    listing.classify(model, listing.body(model, f'{name}.')[0], heads, f'{name}.')
    return listing.layers


def list_layers(model):
    """Lists the layers of the first network."""
    listing = Listing()
    layers, add, convolve = listing.layers, listing.add, listing.convolve
    last, outputs = listing.body(model)
    levels = {stride: outputs[index] for stride, index in model.ends.items()}
    y, smoothed = convolve('lateral32', levels[32], model.laterals['32']), {}
    for stride in SMOOTH:
        inner = model.laterals[str(stride)].out_channels
        y = add(f'up{stride}', 'upsample2x', [y], channels=inner, mode='nearest')
        lateral = convolve(f'lateral{stride}', levels[stride], model.laterals[str(stride)])
        y = add(f'sum{stride}', 'add', [y, lateral], channels=inner, activation='none', rounding=model.sums[str(stride)])
        for part, name in zip(model.smooth[str(stride)], ('depthwise', 'pointwise', 'depthwise2', 'pointwise2')):
            y = convolve(f'smooth{stride}.{name}', y, part)
        smoothed[stride] = y
    add('outline', 'pointwise', [y], channels=1, stride=1, activation='none', weight=model.outline.weight, bias=model.outline.bias)
    listing.classify(model, last, HEADS)
    return layers


def list_landmarks(model, name='landmarks'):
    """Lists the layers of the landmark network: maps in layer `name`, visibility in `name.presence`."""
    listing = Listing()
    levels = listing.blocks(model, f'{name}.')

    def part(stride, y):
        for number, conv in enumerate(model.parts[str(stride)]):
            y = listing.convolve(f"{name}.{stride}.{'pointwise' if number % 2 else 'depthwise'}{number // 2 + 1}", y, conv)
        return y

    y = part(32, listing.convolve(f'{name}.shrink', listing.convolve(f'{name}.enter', levels[-1], model.enter), model.shrink))
    pool = listing.add(f'{name}.pool', 'pool', [y], channels=WIDTHS[32])
    for stride, index in ENDS.items():
        width = WIDTHS[stride]
        if str(stride) in model.narrow:
            y = listing.convolve(f'{name}.{stride}.narrow', y, model.narrow[str(stride)])
        y = listing.add(f'{name}.{stride}.up', 'upsample2x', [y], channels=width, mode='nearest')
        lateral = listing.convolve(f'{name}.{stride}.lateral', levels[index], model.laterals[str(stride)])
        y = part(stride, listing.add(f'{name}.{stride}.sum', 'add', [lateral, y], channels=width, activation='none', rounding=model.sums[str(stride)]))
    listing.convolve(name, y, model.maps)
    listing.add(f'{name}.presence', 'dense', [pool], channels=model.maps.out_channels, weight=model.presence.weight, bias=model.presence.bias)
    return listing.layers


def quantise(layer, most=127):
    """Adds `levels` (int8, up to `most`) and `scales` to a layer, and replaces its weight by the rounded one."""
    weight, scales = layer['weight'].flatten(1), level_scales(layer['weight'], most)
    levels = torch.round(weight / scales[:, None]).clamp(-most, most)
    layer['levels'], layer['scales'] = levels.reshape(layer['weight'].shape).to(torch.int8), scales
    layer['weight'] = (levels * scales[:, None]).reshape(layer['weight'].shape)


def forward(layers, images, input_mean, input_deviation, watch=None):
    """Runs a layer list. Returns ({head: logits}, outline or None). Calls `watch(name, tensor)` for every tensor."""
    values = {'input': (images - input_mean) / input_deviation}
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
    return {head: values[head] for head in HEADS if head in values}, values.get('outline')


def count_macs(layers, size):
    """Returns the multiplications for an input of `size` x `size` pixels."""
    strides, channels, total = {'input': 1}, {'input': 3}, 0
    for layer in layers:
        source = layer['inputs'][0]
        stride = strides[source] * layer.get('stride', 1) if layer['op'] != 'upsample2x' else strides[source] // 2
        strides[layer['name']], channels[layer['name']] = stride, layer['channels']
        if 'weight' in layer:
            pixels = 1 if layer['op'] == 'dense' else (size // stride) ** 2
            total += layer['weight'].numel() * pixels
    return total
