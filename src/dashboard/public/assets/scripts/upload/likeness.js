/* Compares pictures by their colours in a coarse grid, which tells garments apart on the same background. */

const edge = 16

/** Returns the colours of a picture in a grid, or null if this browser cannot open the file. */
export async function readColours(file) {
  const bitmap = await createImageBitmap(file, { resizeWidth: edge, resizeHeight: edge }).catch(() => null)
  if (bitmap === null) return null
  const context = new OffscreenCanvas(edge, edge).getContext('2d')
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  return context.getImageData(0, 0, edge, edge).data
}

/** Mean difference of colour values at which two pictures have nothing in common. */
const maxDifference = 80

/** Returns the likeness of two grids from 0 to 1, or null if one is missing. Ignores the rim, which is background. */
export function likenessOf(some, others) {
  if (some === null || others === null) return null
  let [difference, count] = [0, 0]
  for (let y = 3; y < edge - 3; y++)
    for (let x = 3; x < edge - 3; x++)
      for (let channel = 0; channel < 3; channel++) {
        const at = (y * edge + x) * 4 + channel
        difference += Math.abs(some[at] - others[at])
        count++
      }
  return Math.max(0, 1 - difference / count / maxDifference)
}
