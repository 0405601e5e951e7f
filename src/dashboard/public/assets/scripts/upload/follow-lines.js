import { announce, sleep } from '../page-parts.js'
import { sentence } from './send-file.js'

const pauseMs = 1000
/** After this many reads without a change, reads become rare. */
const maxFrequentReads = 300
const rarePauseMs = 30_000

const isEnded = (status) => status !== 'waiting' && status !== 'tagging'

/**
 * Follows an import's lines until they end. A stored image can still be refused, for example because its uuid belongs
 * to another garment. `rows` are keyed by line number. Ended rows are removed.
 */
export async function followLines(importUrl, rows) {
  const total = rows.size
  let accepted = 0
  for (let read = 0; rows.size > 0; read++) {
    // Ignores a failed read, because the next one may succeed.
    for (const line of await readLines(importUrl, Math.min(...rows.keys()) - 1).catch(() => [])) {
      const row = rows.get(line.line)
      if (row === undefined) continue
      show(row, line)
      if (!isEnded(line.status)) continue
      rows.delete(line.line)
      read = 0
      if (line.status !== 'refused' && line.status !== 'failed') accepted++
    }
    if (rows.size > 0) await sleep(read < maxFrequentReads ? pauseMs : rarePauseMs)
  }
  announce(`${accepted} of ${total} tagged${accepted < total ? `, ${total - accepted} not` : ''}`)
}

async function readLines(importUrl, after) {
  const response = await fetch(`${importUrl}/lines?after=${after}`, { headers: { Accept: 'application/json' } })
  return (await response.json()).lines
}

function show(row, { statusName, problem }) {
  if (problem === '') row.showState(statusName)
  else row.showProblem(`${statusName}: ${sentence(problem.replace(/^\w+: /, ''))}`)
}
