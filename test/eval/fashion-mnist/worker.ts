import { CLASSES, classify, INPUT_SIZE } from '../../../src/vision/network/item-type/forward.ts'

const PLACES = INPUT_SIZE ** 2

/** Takes pictures of 784 bytes each, one after the other, and answers ten probabilities (float32) for each. */
async function classifyAll(request: Request): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  const probabilities = new Float32Array((bytes.length / PLACES) * CLASSES.length)
  for (let i = 0; i * PLACES < bytes.length; i++) {
    const pixels = Float32Array.from(bytes.subarray(i * PLACES, (i + 1) * PLACES), (value) => value / 255)
    probabilities.set(classify(pixels).probabilities, i * CLASSES.length)
  }
  return new Response(probabilities)
}

export default { fetch: classifyAll }
