import type { LineFigures } from './evaluate-points.ts'

/** Widths of the columns but the last one, in letters. */
const widths = [16, 20, 10, 10, 12]

export function formatPoints(lines: readonly LineFigures[]): string {
  const percent = (value: number) => (Number.isNaN(value) ? '-' : `${(value * 100).toFixed(1)} %`)
  const row = (cells: readonly string[]) => `  ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('')}`
  return [
    'Points of measure marked by eye: lines whose ends a person sees, and their deviation as ratios to the other lines',
    row(['line', 'given', 'median', 'readings', 'above 15 %', 'length itself']),
    ...lines.map(({ name, visible, given, median, wrong, readings, length }) =>
      row([
        name,
        `${given} of ${visible} (${percent(given / visible)})`,
        percent(median),
        percent(readings),
        String(wrong),
        percent(length),
      ]),
    ),
  ].join('\n')
}
