/* Opens a HEIC, which few browsers do by themselves. Loaded only for one. */

/**
 * Gives the upright `bitmap`, and `finish`, which gives a JPEG of it the ICC profile of its colours; null for what
 * cannot be opened.
 */
export async function openHeic(file) {
  const decoded = await decode(file)
  if (decoded === null) return null
  const { bitmap, profile } = decoded
  return { bitmap, finish: (jpeg) => (profile === null ? jpeg : withProfile(jpeg, profile)) }
}

async function decode(file) {
  const worker = new Worker(new URL('heic-worker.js', import.meta.url), { type: 'module' })
  try {
    return await new Promise((resolve) => {
      worker.addEventListener('message', ({ data }) => resolve(data.problem === undefined ? data : null))
      worker.addEventListener('error', () => resolve(null))
      worker.postMessage(file)
    })
  } finally {
    // Its memory, of hundreds of MB.
    worker.terminate()
  }
}

/** A segment of a JPEG has two bytes for its length, and a part of a profile a name and two numbers. */
const maxPartBytes = 65_535 - 2 - 14

/** The JPEG with an ICC profile behind its first marker: https://www.color.org/icc_specs2.xalter */
function withProfile(jpeg, profile) {
  const count = Math.ceil(profile.length / maxPartBytes)
  const parts = Array.from({ length: count }, (_, i) => {
    const part = profile.subarray(i * maxPartBytes, (i + 1) * maxPartBytes)
    const length = 2 + 14 + part.length
    const head = [0xff, 0xe2, length >> 8, length & 255, ...new TextEncoder().encode('ICC_PROFILE\0'), i + 1, count]
    return [Uint8Array.from(head), part]
  })
  return new Blob([jpeg.slice(0, 2), ...parts.flat(), jpeg.slice(2)], { type: 'image/jpeg' })
}
