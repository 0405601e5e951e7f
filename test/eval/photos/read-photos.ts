import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Photo {
  readonly id: string
  readonly sender: string
  readonly split: string
  readonly type: string
  /** One or two families. */
  readonly colours: readonly string[]
  readonly pattern: string
  readonly closure: string
  readonly sleeve: string
  readonly shown: string
  readonly maskUnsure: number
}

/** Labels of all photographs, or `undefined` where the folder has none. */
export function readPhotos(folder: string): Photo[] | undefined {
  const path = join(folder, 'labels.csv')
  if (!existsSync(path)) return undefined
  const [header = '', ...lines] = readFileSync(path, 'utf8').trim().split('\n')
  const names = header.trim().split(',')
  return lines.map((line) => {
    const cells = line.trim().split(',')
    const cell = (name: string) => cells[names.indexOf(name)] ?? ''
    return {
      id: cell('id'),
      sender: cell('sender'),
      split: cell('split'),
      type: cell('type'),
      colours: [cell('colour'), cell('colour2')].filter((colour) => colour !== ''),
      pattern: cell('pattern'),
      closure: cell('closure'),
      sleeve: cell('sleeve'),
      shown: cell('shown'),
      maskUnsure: cell('mask_unsure') === '' ? 1 : Number(cell('mask_unsure')),
    }
  })
}
