/**
 * The network's kernels in AssemblyScript: WASM SIMD without relaxed instructions, so every machine computes the same
 * bits. `npm run kernels` compiles them to `../kernels.wasm`, which is committed; a test compares the two.
 *
 * A tensor is int16 in height x width x channels order, channels a multiple of 8. Weights are int8 from -127 to 127 and
 * activations lie between -16383 and 16383, so the int32 sum of 1,032 products cannot overflow.
 * Pointers are byte addresses; nothing is allocated or checked here.
 */
export { add } from './add'
export { depthwise } from './depthwise'
export { pointwise } from './pointwise'
export { upsample2x } from './upsample'
