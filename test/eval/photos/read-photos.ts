import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Folders of the sets: at home, cut out on white, worn by people, a shop's catalogue of worn garments, its accessories,
 * and pictures of other shops.
 */
export const photoSets = {
  home: '.',
  studio: 'studio',
  worn: 'worn',
  catalogue: 'catalogue',
  accessories: 'accessories',
  shops: 'shops',
} as const

/** Labels of all sets in one table, with the part of each photograph. */
const labelTable = join(import.meta.dirname, '../../../training/photographs/labels/photographs.csv')

/** The part that is reported, for sets without splits. Of the worn garments it is the held-out part. */
const reportedParts: Readonly<Record<string, string>> = {
  worn: 'held',
  catalogue: 'reported',
  accessories: 'reported',
  shops: 'reported',
}

/** Labels in shops' sets and their meaning here. */
const shopWords: Readonly<Record<string, string>> = { Several: 'Set', Cutout: 'Flat', Mannequin: 'Worn' }

export type PhotoSet = keyof typeof photoSets

export interface Photo {
  readonly id: string
  /** Folder of the set, with `images/` and for some sets `masks/`. */
  readonly folder: string
  /** Person who took the photograph, or post that shows it. */
  readonly sender: string
  readonly split: string
  /** `judges` or `calibration` if the shipped networks never learn from the photograph, else empty. */
  readonly reserve: string
  readonly type: string
  /** One or two colour families. */
  readonly colours: readonly string[]
  readonly pattern: string
  readonly closure: string
  readonly sleeve: string
  /** Empty if the label is unsure, like `fit`. */
  readonly fabric: string
  readonly fit: string
  readonly neckline: string
  readonly shown: string
  /** 1 if the mask is missing or empty. */
  readonly maskUnsure: number
}

/**
 * Reads the labels of a set's photographs. Returns undefined if the folder has none. In sets without splits, the split
 * is the set's name for reported photographs and `train` for others.
 */
export function readPhotos(root: string, set: PhotoSet): Photo[] | undefined {
  const folder = join(root, photoSets[set])
  const path = join(folder, 'labels.csv')
  if (!existsSync(path)) return undefined
  const [header = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const names = header.trim().split(',')
  const table = readParts()
  const parts = reportedParts[set] === undefined ? undefined : table
  return lines.map((line) => {
    const cells = line.trim().split(',')
    const cell = (name: string) => cells[names.indexOf(name)] ?? ''
    const word = (name: string) =>
      parts === undefined || set === 'worn' ? cell(name) : (shopWords[cell(name)] ?? cell(name))
    const sure = (name: string) => (cell(`${name}_unsure`) === '1' ? '' : cell(name))
    return {
      id: cell('id'),
      folder,
      sender: cell('sender') || cell('showcase'),
      split:
        parts === undefined
          ? cell('split')
          : parts.get(`${set},${cell('id')}`)?.part === reportedParts[set]
            ? set
            : 'train',
      reserve: table.get(`${set},${cell('id')}`)?.reserve ?? '',
      type: word('type'),
      colours: [cell('colour'), cell('colour2')].filter((colour) => colour !== ''),
      pattern: cell('pattern'),
      closure: cell('closure'),
      sleeve: cell('sleeve'),
      fabric: sure('fabric'),
      fit: sure('fit'),
      neckline: cell('neckline'),
      shown: word('shown'),
      maskUnsure: Number(cell('mask_share')) > 0 ? Number(cell('mask_unsure')) : 1,
    }
  })
}

interface Part {
  /** `train`, `held` (held out for choosing), or a reported part. */
  readonly part: string
  readonly reserve: string
}

/** Returns the part of each photograph, by `set,id`. */
export function readParts(): ReadonlyMap<string, Part> {
  const rows = readFileSync(labelTable, 'utf8').trim().split('\n').slice(1)
  return new Map(
    rows.map((row) => {
      const [set, id, part = '', reserve = ''] = row.split(',', 4)
      return [`${set},${id}`, { part, reserve }]
    }),
  )
}
