/**
 * The network's kernels in AssemblyScript: WASM SIMD without relaxed instructions, so every machine computes the same
 * bits. `npm run kernels` compiles them to `../kernels.wasm`, which is committed; a test compares the two.
 *
 * A tensor is int16 in height x width x channels order, channels a multiple of 8. Activations lie between -16383 and
 * 16383. Sums are int32: whoever loads weights checks that no sum can overflow.
 * Pointers are byte addresses; nothing is allocated or checked here.
 */
export { add } from './add'
export { depthwise3x3 } from './depthwise3x3'
export { depthwise5x5 } from './depthwise5x5'
export { pointwise } from './pointwise'
export { upsample2x } from './upsample'
