"""Fast depthwise convolutions and ReLU6 by kernels.cpp, compiled on first use. Uses bfloat16 with AVX-512, else float32."""
import ctypes
import subprocess
from pathlib import Path

import torch


def build():
    source = Path(__file__).with_name('kernels.cpp')
    library = source.with_suffix('.so')
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(['g++', '-O3', '-march=native', '-shared', '-fPIC', str(source), '-o', str(library)], check=True)
    return ctypes.CDLL(str(library))


kernels = build()
IS_BFLOAT16 = 'avx512f' in Path('/proc/cpuinfo').read_text()
DTYPE, LANES = (torch.bfloat16, 16) if IS_BFLOAT16 else (torch.float32, 8)


def autocast(enabled=True):
    """Returns autocast to bfloat16 if this processor has AVX-512, otherwise a disabled one."""
    return torch.autocast('cpu', dtype=torch.bfloat16, enabled=enabled and IS_BFLOAT16)


def address(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def packed(tensor):
    return tensor.contiguous(memory_format=torch.channels_last)


def is_fast(x):
    return x.dtype == DTYPE and x.shape[1] % LANES == 0


def empty(n, channels, height, width):
    return torch.empty((n, channels, height, width), dtype=DTYPE, memory_format=torch.channels_last)


def mask(gradient, y):
    """Returns the gradient where 0 < y < 6, and its sum per channel."""
    n, channels, height, width = y.shape
    gradient, own, sums = packed(gradient), empty(*y.shape), torch.empty(channels)
    kernels.mask_gradient(address(gradient), address(y), address(own), address(sums), ctypes.c_size_t(n * height * width), channels)
    return own, sums


class Depthwise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, stride):
        channels, _, kernel, _ = weight.shape
        n, _, height, width = x.shape
        taps, x = weight.detach().float().reshape(channels, -1).t().contiguous(), packed(x)
        y = empty(n, channels, -(-height // stride), -(-width // stride))
        kernels.depthwise_forward(
            address(x), address(taps), address(bias.detach()), address(y), n, height, width, channels, kernel, stride)
        ctx.save_for_backward(x, taps, y)
        ctx.kind = kernel, stride
        return y

    @staticmethod
    def backward(ctx, gradient):
        x, taps, y = ctx.saved_tensors
        kernel, stride = ctx.kind
        n, channels, height, width = x.shape
        own, sums = mask(gradient, y)
        dx, dw = empty(*x.shape), torch.empty_like(taps)
        kernels.depthwise_backward(
            address(x), address(own), address(taps), address(dx), address(dw), n, height, width, channels, kernel, stride)
        return dx, dw.t().reshape(channels, 1, kernel, kernel), sums, None


class Relu6(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = packed(x)
        kernels.round_relu6(address(y), ctypes.c_size_t(y.numel()))
        if y is not x:
            x.copy_(y)
        ctx.mark_dirty(x)
        ctx.save_for_backward(y)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return mask(gradient, ctx.saved_tensors[0])[0]


class RoundSigned(torch.autograd.Function):
    """Rounds to 63 levels on each side of zero, up to `most`. Gradients pass unchanged."""

    @staticmethod
    def forward(ctx, x, most):
        y = packed(x).clone()
        kernels.round_signed(address(y), ctypes.c_float(most), ctypes.c_size_t(y.numel()))
        return y

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None
