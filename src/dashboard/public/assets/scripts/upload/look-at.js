/* Looks at chosen pictures before they are grouped. */
import { openFile } from './prepare-image.js'

let worker = null
const waiting = new Map()
let lastId = 0

function ask(picture) {
  if (worker === null) {
    worker = new Worker(new URL('look-worker.js', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data: { id, look } }) => {
      waiting.get(id)(look)
      waiting.delete(id)
    })
    // The worker could not be loaded, so pictures are grouped by names and times alone.
    worker.addEventListener('error', () => {
      for (const resolve of waiting.values()) resolve(null)
      waiting.clear()
    })
  }
  return new Promise((resolve) => {
    const id = ++lastId
    waiting.set(id, resolve)
    worker.postMessage({ id, picture }, picture instanceof ImageBitmap ? [picture] : [])
  })
}

/**
 * Returns the picture's colours, a small preview and its code (null without one). Returns null if the file cannot be
 * opened.
 */
export async function lookAt(file) {
  const look = await ask(file)
  if (look !== null) return look
  // The browser cannot open HEIC, but the decoder that prepares it for the upload can.
  const opened = await openFile(file).catch(() => null)
  return opened === null ? null : await ask(opened.bitmap)
}
