/* Which of the pictures that were chosen are of one garment: a suggestion, which the page shows to be changed. */
import { stemOf } from '../page-parts.js'

/** The most pictures of a garment. */
export const maxPictures = 8

/** What cameras and programs call each of their pictures, before its number. */
const automatic =
  /^(img|image|dsc|dscf|dscn|pxl|mvi|gopr|dji|sam|photo|foto|bild|picture|pic|scan|screenshot|unnamed|whatsapp)?[-_ .()\d]*$|^(img|dsc|pxl)[a-z]?[-_]/i

/** A name and a number of one or two digits after a sign, such as `12-1`, `12_2` or `12 (2)`. */
const numbered = /^(?<base>.+?)(?:[-_. ]\s?(?<plain>\d{1,2})|\s?\((?<bracketed>\d{1,2})\))$/

/** What a file's name says of its garment: the garment's name, and the picture's number. */
export function readName(fileName) {
  const stem = stemOf(fileName)
  const { base, plain, bracketed } = numbered.exec(stem)?.groups ?? {}
  const name = base?.trim() ?? stem
  // Only short numbers name garments: `20261128_101500` is a time.
  const isCamera = automatic.test(name) && !/^\d{1,5}$/.test(name)
  return base === undefined || isCamera ? { name: stem, number: 0 } : { name, number: Number(plain ?? bracketed) }
}

/**
 * The pictures, in the order in which they were chosen, as garments with their pictures in order. Those with a common
 * name are of one garment; of the others, those that were taken in bursts with clear pauses between them.
 * @param pictures each with `name`, of the file, and `takenAt` in ms, null where that is not known
 */
export function groupPictures(pictures) {
  const byName = new Map()
  for (const picture of pictures) {
    const { name, number } = readName(picture.name)
    byName.set(name, [...(byName.get(name) ?? []), { picture, number }])
  }
  const groups = []
  const single = []
  for (const [name, named] of byName) {
    // More are a series of garments: `stock-1` to `stock-40`. Two with one number are of two folders.
    const isGarment = named.length <= maxPictures && new Set(named.map(({ number }) => number)).size === named.length
    const inOrder = named.toSorted((a, b) => a.number - b.number).map(({ picture }) => picture)
    if (isGarment && inOrder.length > 1) groups.push({ name, pictures: inOrder })
    else single.push(...named.map(({ picture }) => picture))
  }
  groups.push(...bursts(single).map((burst) => ({ pictures: burst })))
  const place = new Map(pictures.map((picture, i) => [picture, i]))
  const first = (group) => Math.min(...group.pictures.map((picture) => place.get(picture)))
  return groups.toSorted((a, b) => first(a) - first(b))
}

const longestInBurstMs = 30_000
/** A pause between garments is at least so many times the longest one within a garment. */
const clearRatio = 2.5

/** Pictures by the garment that they were taken of, each on its own where the pauses do not say so clearly. */
function bursts(pictures) {
  const alone = pictures.map((picture) => [picture])
  if (pictures.some(({ takenAt }) => takenAt === null)) return alone
  const inTime = pictures.toSorted((a, b) => a.takenAt - b.takenAt)
  // Many cameras store no fractions of a second.
  const pauseBefore = (i) => Math.max(inTime[i].takenAt - inTime[i - 1].takenAt, 1000)
  const pauses = inTime
    .slice(1)
    .map((_, i) => pauseBefore(i + 1))
    .toSorted((a, b) => a - b)
  let [longest, ratio] = [0, 0]
  for (const [i, pause] of pauses.entries()) {
    const next = pauses[i + 1]
    if (next === undefined || pause > longestInBurstMs || next / pause <= ratio) continue
    longest = pause
    ratio = next / pause
  }
  if (ratio < clearRatio) return alone
  const groups = []
  for (const [i, picture] of inTime.entries())
    if (i > 0 && pauseBefore(i) <= longest) groups.at(-1).push(picture)
    else groups.push([picture])
  const several = groups.filter(({ length }) => length > 1).flat().length
  return several * 2 >= pictures.length && groups.every(({ length }) => length <= maxPictures) ? groups : alone
}
