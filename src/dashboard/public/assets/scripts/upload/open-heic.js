/* Opens HEIC pictures, which few browsers support. Loaded on demand. */

/**
 * Returns the upright `bitmap` and `finish`, which adds the ICC profile to a JPEG of the bitmap. Returns null if the
 * file cannot be opened.
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
    // Frees the worker's memory, which can be hundreds of MB.
    worker.terminate()
  }
}

/** Maximum bytes of a profile in one JPEG segment, after the segment's length and the profile's header. */
const maxPartBytes = 65_535 - 2 - 14

/** Inserts an ICC profile after a JPEG's first marker: https://www.color.org/icc_specs2.xalter */
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
