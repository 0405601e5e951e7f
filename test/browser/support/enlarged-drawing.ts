import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'

/** Enlarges a drawing of 600 x 800 pixels by a factor, to simulate a large photograph. */
export function enlargedDrawing(factor: number) {
  const { picture } = makeFlatLay(7, { width: 600, height: 800 })
  const [width, height] = [picture.width * factor, picture.height * factor]
  const from = new Uint32Array(picture.data.slice().buffer)
  const to = new Uint32Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / factor) * picture.width
    for (let x = 0; x < width; x++) to[y * width + x] = from[row + Math.floor(x / factor)] ?? 0
  }
  return { ...picture, width, height, data: new Uint8ClampedArray(to.buffer) }
}
