import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Row } from '../photos/evaluate-photos.ts'

/**
 * Writes what both said of labelled photographs in the form of an export, from which `npm run fit:opinion` fits the
 * weights. Only attributes whose labels have the names of values.
 */
export async function writeLabelled(rows: readonly Row[], path: string): Promise<void> {
  const garments = rows.flatMap(({ photo, answer }) => {
    if (answer?.opinion === undefined) return []
    const labels = {
      'Item Type': photo.type,
      Pattern: photo.pattern,
      Sleeve: photo.sleeve,
      Neckline: photo.neckline,
      Fit: photo.fit,
    }
    const tag = Object.fromEntries(Object.entries(labels).filter(([, label]) => label !== '' && label !== '?'))
    return [{ tag, confirmed: Object.keys(tag), second_opinion: answer.opinion }]
  })
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(garments))
}
