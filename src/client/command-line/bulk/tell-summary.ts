import { tell } from '../command.ts'
import type { Results } from '../results.ts'

/** What came of the lines, and what is left. */
export function tellSummary({ counts }: Results, total: number): void {
  const parts = ['complete', 'failed', 'refused', 'missing'].flatMap((status) => {
    const count = counts.get(status) ?? 0
    return count === 0 && status !== 'complete' ? [] : [`${count} ${status}`]
  })
  const left = total - [...counts.values()].reduce((sum, count) => sum + count, 0)
  tell(
    left > 0
      ? `Of ${total} lines: ${parts.join(', ')}, ${left} left. The service goes on with what it has accepted. Run the ` +
          'same command again for all results; nothing is tagged twice.'
      : `Of ${total} lines: ${parts.join(', ')}.`,
  )
}
