/*
 * Decodes a HEIC picture in a worker, because the decoder is large and blocks for seconds. Applies the file's rotation.
 * Colours stay in the file's colour space, which is returned with the pixels.
 */
import createDecoder from '../../heic/libheif.js'

/** Primaries of Display P3: https://www.itu.int/rec/T-REC-H.273 */
const displayP3 = 12

addEventListener('message', ({ data: file }) => void decode(file))

async function decode(file) {
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const { HeifDecoder } = createDecoder()
    const [picture] = new HeifDecoder().decode(bytes)
    if (picture === undefined) throw new Error('It has no picture')
    const [width, height] = [picture.get_width(), picture.get_height()]
    const shown = { width, height, data: new Uint8ClampedArray(width * height * 4) }
    await new Promise((resolve, reject) => {
      picture.display(shown, (done) => (done ? resolve() : reject(new Error('It cannot be decoded'))))
    })
    const { profile, colorSpace } = readColours(bytes)
    const image = new ImageData(shown.data, width, height, { colorSpace })
    const bitmap = await createImageBitmap(image)
    postMessage({ bitmap, profile }, [bitmap])
  } catch (error) {
    postMessage({ problem: String(error) })
  }
}

/** Reads the first colour box (`colr`): an ICC profile, or the codes of a standard. */
function readColours(bytes) {
  const view = new DataView(bytes.buffer)
  for (let at = 4; at < bytes.length - 12; at++) {
    if (view.getUint32(at) !== 0x636f6c72) continue
    const [size, type] = [view.getUint32(at - 4), view.getUint32(at + 4)]
    if (type === 0x70726f66) return { profile: bytes.slice(at + 8, at - 4 + size), colorSpace: 'srgb' }
    if (type === 0x6e636c78)
      return { profile: null, colorSpace: view.getUint16(at + 8) === displayP3 ? 'display-p3' : 'srgb' }
  }
  return { profile: null, colorSpace: 'srgb' }
}
