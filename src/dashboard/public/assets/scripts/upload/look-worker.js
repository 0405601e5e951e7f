/* Looks at pictures in a worker: counts their colours, makes small previews and reads codes. */
import { countColours, edge } from './likeness.js'

/** Longest edge of the picture in which codes are searched. */
const searchedEdge = 1600
const previewEdge = 240

/** A smaller code is printed on a hang tag or a garment, so the picture shows more than the code. */
const minCodeShare = 0.12

/** Other formats are also found in stripes. */
const formats = {
  BarcodeDetector: ['qr_code', 'ean_13', 'upc_a', 'code_128'],
  zxing: ['QRCode', 'EAN-13', 'UPC-A', 'Code128'],
}

addEventListener('message', ({ data }) => void look(data))

async function look({ id, picture }) {
  try {
    const bitmap =
      picture instanceof Blob ? await createImageBitmap(picture, { imageOrientation: 'from-image' }) : picture
    const colours = countColours(draw(bitmap, edge, edge).getImageData(0, 0, edge, edge).data)
    const preview = await draw(bitmap, ...fit(bitmap, previewEdge)).canvas.convertToBlob({
      type: 'image/jpeg',
      quality: 0.8,
    })
    const code = await readCode(draw(bitmap, ...fit(bitmap, searchedEdge)).canvas).catch(() => null)
    bitmap.close()
    postMessage({ id, look: { colours, preview, code } })
  } catch {
    // This browser cannot open the file.
    postMessage({ id, look: null })
  }
}

function fit({ width, height }, longest) {
  const scale = Math.min(1, longest / Math.max(width, height))
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
}

function draw(bitmap, width, height) {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.drawImage(bitmap, 0, 0, width, height)
  return context
}

/** Returns the text and format of the largest code, or null if the picture has none that is large enough. */
async function readCode(canvas) {
  const codes = 'BarcodeDetector' in self ? await detectCodes(canvas) : await decodeCodes(canvas)
  const shareOf = ({ points }) =>
    Math.max(
      ...['x', 'y'].map(
        (axis) => Math.max(...points.map((point) => point[axis])) - Math.min(...points.map((point) => point[axis])),
      ),
    ) / Math.max(canvas.width, canvas.height)
  const [largest] = codes.toSorted((a, b) => shareOf(b) - shareOf(a))
  return largest === undefined || shareOf(largest) < minCodeShare ? null : { text: largest.text, isQr: largest.isQr }
}

let detector = null

async function detectCodes(canvas) {
  detector ??= new BarcodeDetector({ formats: formats.BarcodeDetector })
  const found = await detector.detect(canvas)
  return found.map(({ rawValue, format, cornerPoints }) => ({
    text: rawValue,
    isQr: format === 'qr_code',
    points: cornerPoints,
  }))
}

let reader = null

/** Many browsers have no `BarcodeDetector`. The library is loaded with the first picture. */
async function loadReader() {
  const { prepareZXingModule, readBarcodes } = await import('../../codes/zxing-reader.js')
  prepareZXingModule({
    overrides: { locateFile: () => new URL('../../codes/zxing-reader.wasm', import.meta.url).href },
  })
  return readBarcodes
}

async function decodeCodes(canvas) {
  reader ??= loadReader()
  const readBarcodes = await reader
  const { width, height } = canvas
  const image = canvas.getContext('2d').getImageData(0, 0, width, height)
  const found = await readBarcodes(image, { formats: formats.zxing, maxNumberOfSymbols: 4 })
  return found
    .filter(({ isValid }) => isValid)
    .map(({ text, format, position }) => ({ text, isQr: format === 'QRCode', points: Object.values(position) }))
}
