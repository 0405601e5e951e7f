import { quantile } from '../../support/quantile.ts'
import type { EndRow } from './evaluate-ends.ts'

export function formatEnds(rows: readonly EndRow[]): string {
  const cm = (value: number) => (Number.isNaN(value) ? '-' : `${value.toFixed(2)} cm`)
  const names = [...new Set(rows.map(({ name }) => name))]
  return [
    'End to end, marked cut-outs rendered beside the card: answered centimetres against the marks of people',
    `  ${'line'.padEnd(16)}${'given'.padEnd(12)}${'median'.padEnd(10)}${'90th'.padEnd(10)}${'bias'.padEnd(10)}readings`,
    ...names.map((name) => {
      const own = rows.filter((row) => row.name === name)
      const errors = own.flatMap(({ error }) => (error === undefined ? [] : [error]))
      const sizes = errors.map(Math.abs)
      return [
        `  ${name.padEnd(16)}`,
        `${errors.length} of ${own.length}`.padEnd(12),
        cm(quantile(sizes, 0.5)).padEnd(10),
        cm(quantile(sizes, 0.9)).padEnd(10),
        cm(quantile(errors, 0.5)).padEnd(10),
        cm(
          quantile(
            own.map(({ readings }) => readings),
            0.5,
          ),
        ),
      ].join('')
    }),
  ].join('\n')
}
