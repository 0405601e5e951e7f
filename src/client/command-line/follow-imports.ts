import type { ExportedGarment, Garment, Import } from '../types.ts'
import type { Client } from '../create-client.ts'
import { tell } from './command.ts'
import { countWritten, type Progress, type Results } from './results.ts'
import { GarmentTaggingError } from '../connection.ts'
import { sleep } from '../send.ts'
import { pollDelayMs } from '../wait.ts'

function toGarment(exported: ExportedGarment): Garment {
  const { image_url: _url, created_at: _created, ended_at: _ended, ...rest } = exported
  const { machine: _machine, original_img: _original, ...garment } = rest
  return garment
}

const summarize = (imports: readonly Import[]) => ({
  isOpen: imports.some(({ done }) => !done),
  ended: imports.reduce((sum, { totals }) => sum + totals.complete + totals.failed, 0),
  refused: imports.reduce((sum, { totals }) => sum + totals.refused, 0),
  since: imports.map(({ created_at }) => created_at).sort()[0],
})

export interface SentImport {
  readonly id: string
  readonly lineOffset: number
}

interface Rows {
  readonly uuids: Map<number, string>
  readonly known: Set<number>
}

interface Sinks {
  readonly results: Results
  readonly signal: AbortSignal
}

const maxPage = 1000
/** Refusals reported on standard error. The results contain all. */
const maxTold = 20

export async function reportRefused(
  client: Client,
  imports: readonly SentImport[],
  { uuids, known }: Rows,
  { results, signal }: Sinks,
) {
  const states: Import[] = []
  for (const { id, lineOffset } of imports) {
    let cursor: string | null = null
    do {
      const page: Import = await client.getImport(id, { status: 'refused', limit: maxPage, cursor }, { signal })
      if (cursor === null) states.push(page)
      for (const { line, uuid, problem } of page.lines) {
        const number = line + lineOffset
        if (known.has(number)) continue
        known.add(number)
        uuids.delete(number)
        await results.write({ uuid, status: 'refused', failure_reason: `line ${number}: ${problem}` })
        const about = uuid === '' ? '' : `${uuid} was refused. `
        if (known.size <= maxTold) tell(`line ${number}: ${about}${problem}`.replaceAll(/\p{Cc}/gu, ' '))
        if (known.size === maxTold + 1) tell('More lines were refused. The results contain all of them.')
      }
      cursor = page.next_cursor
    } while (cursor !== null)
  }
  return summarize(states)
}

interface SentRows {
  readonly imports: readonly SentImport[]
  readonly uuids: Map<number, string>
}

interface FollowSinks extends Sinks {
  readonly progress: Progress
}

/** Above this number of garments, exporting takes fewer requests than querying each. */
const maxQueries = 3

/** Follows imports until they end. Writes each result as soon as it exists. */
export async function followImports(client: Client, { imports, uuids }: SentRows, sinks: FollowSinks): Promise<void> {
  const { progress, results, signal } = sinks
  const known = new Set<number>()
  const first = await reportRefused(client, imports, { uuids, known }, sinks)
  progress.update(countWritten(results))
  const waiting = new Set(uuids.values())
  // Uses the server's clock, so that garments older than the import are not mistaken for its results.
  let from = first.since
  let state = first
  // The rate limit is low, so results are requested only after the totals have changed.
  for (let polls = 1, read = 0; state.isOpen || read < state.ended; polls++) {
    if (state.isOpen) await sleep(pollDelayMs(polls), signal)
    if (state.isOpen) state = await readState(client, imports, signal)
    if (read < state.ended) from = await writeEnded(client, from, waiting, sinks)
    read = state.ended
  }
  // A row can be refused later, when its upload finds other content under the same UUID.
  if (state.refused > known.size) await reportRefused(client, imports, { uuids, known }, sinks)
  const accepted = new Set(uuids.values())
  for (const uuid of waiting) if (!accepted.has(uuid)) waiting.delete(uuid)
  // Unchanged garments are older than the import.
  if (waiting.size > maxQueries) await writeEnded(client, undefined, waiting, sinks)
  for (const uuid of waiting) {
    await writeOne(client, uuid, sinks)
    progress.update(countWritten(results))
  }
}

async function readState(client: Client, imports: readonly SentImport[], signal: AbortSignal) {
  const states = []
  for (const { id } of imports) states.push(await client.getImport(id, { limit: 1 }, { signal }))
  return summarize(states)
}

/** Writes ended garments uploaded since `from`. Returns the next `from`. */
async function writeEnded(
  client: Client,
  from: string | undefined,
  waiting: Set<string>,
  { results, progress, signal }: FollowSinks,
): Promise<string | undefined> {
  let last = from
  let firstWaiting: string | undefined
  for await (const exported of client.exportGarments({ from }, { signal })) {
    last = exported.created_at
    if (!waiting.has(exported.uuid)) continue
    if (exported.status === 'complete' || exported.status === 'failed') {
      await results.write(toGarment(exported))
      waiting.delete(exported.uuid)
      progress.update(countWritten(results))
    } else firstWaiting ??= exported.created_at
    if (waiting.size === 0) break
  }
  return firstWaiting ?? last
}

/** Waits for a garment that existed before the import. It may have been deleted meanwhile. */
async function writeOne(client: Client, uuid: string, { results, signal }: FollowSinks): Promise<void> {
  try {
    const garment = await client.query(uuid, { signal })
    const hasEnded = garment.status === 'complete' || garment.status === 'failed'
    await results.write(hasEnded ? garment : await client.wait(uuid, { signal }))
  } catch (error) {
    if (!(error instanceof GarmentTaggingError) || error.code !== 'garment_not_found') throw error
    await results.write({ uuid, status: 'missing', failure_reason: error.message })
  }
}

export function tellSummary(results: Results, total: number): void {
  const parts = ['complete', 'failed', 'refused', 'missing'].flatMap((status) => {
    const count = results.counts.get(status) ?? 0
    return count === 0 && status !== 'complete' ? [] : [`${count} ${status}`]
  })
  const left = total - countWritten(results)
  tell(
    left > 0
      ? `Of ${total} lines: ${parts.join(', ')}, ${left} left. The service goes on with what it has accepted. Run the ` +
          'same command again to get all results. No garment is tagged twice.'
      : `Of ${total} lines: ${parts.join(', ')}.`,
  )
}
