import { sleep } from '../page-parts.js'
import { sentence } from './send-file.js'

const pauseMs = 1000
/** After this many reads without a change, reads become rare. */
const maxFrequentReads = 300
const rarePauseMs = 30_000

const isEnded = (status) => status !== 'waiting' && status !== 'tagging'

/**
 * Follows an import's lines until they end and `isSending` returns false. A stored image can still be refused, for
 * example because its uuid belongs to another garment. `rows` are keyed by line number, and may grow. Ended rows are
 * removed. Calls `onEnd` after each with true if the garment was described.
 */
export async function followLines(importUrl, rows, { isSending, onEnd }) {
  for (let read = 0; rows.size > 0 || isSending(); read++) {
    await sleep(read < maxFrequentReads ? pauseMs : rarePauseMs)
    if (rows.size === 0) continue
    // Ignores a failed read, because the next one may succeed.
    for (const line of await readLines(importUrl, Math.min(...rows.keys()) - 1).catch(() => [])) {
      const row = rows.get(line.line)
      if (row === undefined) continue
      show(row, line)
      if (!isEnded(line.status)) continue
      rows.delete(line.line)
      read = 0
      onEnd(line.status !== 'refused' && line.status !== 'failed')
    }
  }
}

async function readLines(importUrl, after) {
  const response = await fetch(`${importUrl}/lines?after=${after}`, { headers: { Accept: 'application/json' } })
  return (await response.json()).lines
}

function show(row, { statusName, problem, same }) {
  if (problem === '') row.showState(statusName, same)
  else row.showProblem(`${statusName}: ${sentence(problem.replace(/^\w+: /, ''))}`)
}
