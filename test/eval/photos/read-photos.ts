import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Sets of photographs and their folders: at home, cut out on white, worn by people, and a shop's catalogue of worn
 * garments and of what it sells beside them.
 */
export const photoSets = {
  home: '.',
  studio: 'studio',
  worn: 'worn',
  catalogue: 'catalogue',
  accessories: 'accessories',
} as const

/** What training left out, by set and id: all sets' labels in one table. */
const table = join(import.meta.dirname, '../../../training/photographs/labels/photographs.csv')

/**
 * The part that is reported where a set has no splits: of the worn ones that which was held
 * out.
 */
const reportedParts: Readonly<Record<string, string>> = { worn: 'held', catalogue: 'reported', accessories: 'reported' }

/** A shop's words for ours. */
const shopWords: Readonly<Record<string, string>> = { Several: 'Set', Cutout: 'Flat', Mannequin: 'Worn' }

export type PhotoSet = keyof typeof photoSets

export interface Photo {
  readonly id: string
  /** The set's folder, with `images/` and perhaps `masks/`. */
  readonly folder: string
  /** The person who took it, or the post that shows it. */
  readonly sender: string
  readonly split: string
  readonly type: string
  /** One or two families. */
  readonly colours: readonly string[]
  readonly pattern: string
  readonly closure: string
  readonly sleeve: string
  /** Empty where the person who labelled it was unsure, as `fit`. */
  readonly fabric: string
  readonly fit: string
  readonly neckline: string
  readonly shown: string
  /** 1 where there is no mask, or an empty one. */
  readonly maskUnsure: number
}

/**
 * Labels of all photographs of a set, or `undefined` where the folder has none. A set without splits is one of its own
 * name as far as it is reported, and `train` otherwise.
 */
export function readPhotos(root: string, set: PhotoSet): Photo[] | undefined {
  const folder = join(root, photoSets[set])
  const path = join(folder, 'labels.csv')
  if (!existsSync(path)) return undefined
  const [header = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const names = header.trim().split(',')
  const parts = reportedParts[set] === undefined ? undefined : readParts()
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
        parts === undefined ? cell('split') : parts.get(`${set},${cell('id')}`) === reportedParts[set] ? set : 'train',
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

/** By set and id, `held,studio`: of which part a photograph is; those of the part `held` were held out to choose. */
export function readParts(): ReadonlyMap<string, string> {
  const rows = readFileSync(table, 'utf8').trim().split('\n').slice(1)
  return new Map(rows.map((row) => row.split(',', 3)).map(([set, id, part]) => [`${set},${id}`, part ?? '']))
}
