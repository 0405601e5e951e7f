import type { LinesPatch } from '../../correction/rules/check-lines.ts'
import { lineNamesOf } from '../../correction/rules/measurement.ts'
import { invalidCorrection } from '../../correction/errors.ts'
import type { GarmentResult } from '../../garment/fields.ts'
import type { FormValues } from '../form.ts'

/** The name of the field, which is that of the API's problems. */
export const lineField = (name: string) => `lines.${name}`

/** The names of the lines that a garment of its item type can have. */
export const lineNames = ({ tag }: Pick<GarmentResult, 'tag'>) => lineNamesOf(tag?.['Item Type'])

/** Each line as `x, y, x, y` in pixels of the original; empty where there is none. */
export function lineValues(result: Pick<GarmentResult, 'tag' | 'lines'>): FormValues {
  return Object.fromEntries(
    lineNames(result).map((name) => {
      const line = result.lines?.[name]
      return [lineField(name), line === undefined ? '' : [...line.from, ...line.to].join(', ')]
    }),
  )
}

/** The lines that differ from those that the form was opened with. Throws 400 for an invalid line. */
export function readLines(values: FormValues, names: readonly string[]): LinesPatch {
  const opened = new URLSearchParams(values['opened'] ?? '')
  const numbersOf = (text: string) => text.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? []
  const problems: string[] = []
  const patch: Record<string, LinesPatch[string]> = {}
  for (const name of names) {
    const text = values[lineField(name)]?.trim()
    const before = opened.get(lineField(name)) ?? ''
    if (text === undefined || String(numbersOf(text)) === String(numbersOf(before))) continue
    const numbers = numbersOf(text)
    const [x = 0, y = 0, toX = 0, toY = 0] = numbers
    if (text === '') patch[name] = null
    else if (numbers.length === 4) patch[name] = { from: [x, y], to: [toX, toY] }
    else problems.push(`${lineField(name)}: must be four numbers of pixels, x and y of each end, or empty`)
  }
  if (problems.length > 0) throw invalidCorrection(problems)
  return patch
}
