import type { LineFigures } from './evaluate-points.ts'

export function formatPoints(lines: readonly LineFigures[]): string {
  const percent = (value: number) => (Number.isNaN(value) ? '-' : `${(value * 100).toFixed(1)} %`)
  return [
    'Points of measure marked by eye: lines whose ends a person sees, and their deviation as ratios to the other lines',
    `  ${'line'.padEnd(16)}${'given'.padEnd(20)}${'median'.padEnd(10)}${'readings'.padEnd(10)}above 15 %`,
    ...lines.map(({ name, visible, given, median, wrong, readings }) =>
      [
        `  ${name.padEnd(16)}`,
        `${given} of ${visible} (${percent(given / visible)})`.padEnd(20),
        percent(median).padEnd(10),
        percent(readings).padEnd(10),
        String(wrong),
      ].join(''),
    ),
  ].join('\n')
}
