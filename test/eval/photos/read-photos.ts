import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Sets of photographs and their folders: at home, cut out on white, worn by people. */
export const photoSets = { home: '.', studio: 'studio', worn: 'worn' } as const

export type PhotoSet = keyof typeof photoSets

export interface Photo {
  readonly id: string
  /** Of the set, with `images/` and perhaps `masks/`. */
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
  readonly maskUnsure: number
}

/** Labels of all photographs of a set, or `undefined` where the folder has none. The worn set is one split, `worn`. */
export function readPhotos(root: string, set: PhotoSet): Photo[] | undefined {
  const folder = join(root, photoSets[set])
  const path = join(folder, 'labels.csv')
  if (!existsSync(path)) return undefined
  const [header = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const names = header.trim().split(',')
  return lines.map((line) => {
    const cells = line.trim().split(',')
    const cell = (name: string) => cells[names.indexOf(name)] ?? ''
    const sure = (name: string) => (cell(`${name}_unsure`) === '1' ? '' : cell(name))
    return {
      id: cell('id'),
      folder,
      sender: cell('sender') || cell('showcase'),
      split: cell('split') || set,
      type: cell('type'),
      colours: [cell('colour'), cell('colour2')].filter((colour) => colour !== ''),
      pattern: cell('pattern'),
      closure: cell('closure'),
      sleeve: cell('sleeve'),
      fabric: sure('fabric'),
      fit: sure('fit'),
      neckline: cell('neckline'),
      shown: cell('shown'),
      maskUnsure: cell('mask_unsure') === '' ? 1 : Number(cell('mask_unsure')),
    }
  })
}
