/* Compares pictures by their colours, relative to the colours that all pictures of the batch share. */

/** Edge of the small picture whose colours are counted. */
export const edge = 32

/** Colour values per channel. */
const levels = 6

/** Parts of the picture that are compared: all of it, and its middle, which shows mostly the garment. */
const parts = [() => true, (x, y) => x > 0.33 && x < 0.67 && y > 0.3 && y < 0.7]

/**
 * Counts the colours of each part of a picture.
 * @param pixels RGBA, `edge` pixels wide and high
 */
export function countColours(pixels) {
  const counts = parts.map(() => new Float32Array(levels ** 3))
  for (let y = 0; y < edge; y++)
    for (let x = 0; x < edge; x++) {
      const at = (y * edge + x) * 4
      const inParts = counts.filter((_, i) => parts[i](x / edge, y / edge))
      for (const [colour, share] of nearestColours(pixels[at], pixels[at + 1], pixels[at + 2]))
        for (const count of inParts) count[colour] += share
    }
  return counts.map((count) => {
    const total = count.reduce((sum, value) => sum + value, 0)
    return count.map((value) => Math.sqrt(value / total))
  })
}

/** Distributes a pixel over the eight nearest colours, so that a little more light changes little. */
function nearestColours(...channels) {
  const places = channels.map((value) => (value / 255) * (levels - 1))
  const lows = places.map((place) => Math.min(levels - 2, Math.floor(place)))
  return Array.from({ length: 8 }, (_, corner) => {
    let [colour, share] = [0, 1]
    for (let i = 0; i < 3; i++) {
      const up = (corner >> i) & 1
      const beyond = places[i] - lows[i]
      share *= up ? beyond : 1 - beyond
      colour = colour * levels + lows[i] + up
    }
    return [colour, share]
  })
}

/** Adds an empty picture to the mean, because a small batch does not show what is usual. */
const emptyCount = 1

/**
 * Returns a function that compares two pictures of a batch: 1 for equal ones, about 0 for two that have only the
 * batch's usual colours in common, and null if the colours of one are unknown.
 * @param all the colours of each picture, null if unknown
 */
export function comparerOf(all) {
  const known = all.filter((colours) => colours !== null)
  const means = parts.map((_, part) =>
    Float32Array.from(
      { length: levels ** 3 },
      (_, i) => known.reduce((sum, colours) => sum + colours[part][i], 0) / (known.length + emptyCount),
    ),
  )
  const own = all.map((colours) =>
    colours?.map((counts, part) => {
      const rest = counts.map((value, i) => value - means[part][i])
      const length = Math.hypot(...rest)
      return length === 0 ? rest : rest.map((value) => value / length)
    }),
  )
  return (some, other) => {
    const [a, b] = [own[some], own[other]]
    if (a === undefined || b === undefined) return null
    const products = a.map((counts, part) => counts.reduce((sum, value, i) => sum + value * b[part][i], 0))
    return products.reduce((sum, value) => sum + value, 0) / parts.length
  }
}
