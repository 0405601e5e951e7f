/* Suggests which of the chosen pictures belong to one garment. */
import { stemOf } from '../page-parts.js'
import { groupByBorders, maxPictures } from './decide-borders.js'

/** Names that cameras and programs give to all their pictures, before a number. */
const automatic =
  /^(img|image|dsc|dscf|dscn|pxl|mvi|gopr|dji|sam|photo|foto|bild|picture|pic|scan|screenshot|unnamed|whatsapp)?[-_ .()\d]*$|^(img|dsc|pxl)[a-z]?[-_]/i

/** A name followed by a number of one or two digits, such as `12-1`, `12_2` or `12 (2)`. */
const numbered = /^(?<base>.+?)(?:[-_. ]\s?(?<plain>\d{1,2})|\s?\((?<bracketed>\d{1,2})\))$/

/** Reads the garment's name and the picture's number from a file name. */
export function readName(fileName) {
  const stem = stemOf(fileName)
  const { base, plain, bracketed } = numbered.exec(stem)?.groups ?? {}
  const name = base?.trim() ?? stem
  // Only short numbers name garments: `20261128_101500` is a time.
  const isCamera = automatic.test(name) && !/^\d{1,5}$/.test(name)
  return base === undefined || isCamera ? { name: stem, number: 0 } : { name, number: Number(plain ?? bracketed) }
}

/**
 * Groups chosen pictures into garments. Pictures with a common name belong to one garment. For the others, each border
 * between two neighbours is decided separately.
 * @param pictures each with the file's `name`, `takenAt` and `savedAt` in ms or null, and optionally `likeness`
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
    // More pictures are a series of garments, such as `stock-1` to `stock-40`. Equal numbers come from two folders.
    const isGarment = named.length <= maxPictures && new Set(named.map(({ number }) => number)).size === named.length
    const inOrder = named.toSorted((a, b) => a.number - b.number).map(({ picture }) => picture)
    if (isGarment && inOrder.length > 1) groups.push({ name, pictures: inOrder, isDoubtful: false, doubtful: [] })
    else single.push(...named.map(({ picture }) => picture))
  }
  groups.push(...groupByBorders(inTakenOrder(single)))
  const place = new Map(pictures.map((picture, i) => [picture, i]))
  const first = (group) => Math.min(...group.pictures.map((picture) => place.get(picture)))
  return groups.toSorted((a, b) => first(a) - first(b))
}

/** Sorts pictures by time if all times are known. Otherwise, sorts by file name, because cameras count upwards. */
export const inTakenOrder = (pictures) =>
  pictures.every(({ takenAt }) => takenAt !== null)
    ? pictures.toSorted((a, b) => a.takenAt - b.takenAt)
    : pictures.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
