import type { Row } from '../photos/evaluate-photos.ts'
import { type PhotoFigures, scorePhotos } from '../photos/score-photos.ts'

const points = (value: number) => `${value >= 0 ? '+' : ''}${(value * 100).toFixed(1)}`

/** What a second opinion gained and cost on these photographs. */
export function formatOpinions(title: string, rows: readonly Row[], alone: PhotoFigures): string {
  const asked = rows.flatMap(({ asked: one }) => (one === undefined ? [] : [one]))
  const outcomes = [...Map.groupBy(asked, ({ outcome }) => outcome)].map(([outcome, of]) => `${of.length} ${outcome}`)
  const sum = (what: 'tokens' | 'dollars') => asked.reduce((total, each) => total + each[what], 0)
  const both = scorePhotos(rows)
  const gained = Object.entries(both.attributes).map(([name, { right, highShare, highRight }]) => {
    const before = alone.attributes[name]
    if (before === undefined) return ''
    const high = `High ${points(highShare.value - before.highShare.value)}, right ${points(highRight.value - before.highRight.value)}`
    return `  ${name.padEnd(22)}right ${points(right.value - before.right.value)} points, ${high}`
  })
  const perMillion = (sum('dollars') / Math.max(1, rows.length)) * 1e6
  return [
    `${title} with a second opinion, against the network alone:`,
    `  asked about ${asked.length} of ${rows.length}: ${outcomes.join(', ') || 'none'}`,
    `  ${sum('tokens')} tokens, $${sum('dollars').toFixed(4)}: $${perMillion.toFixed(0)} for a million photographs like these`,
    ...gained,
  ].join('\n')
}
