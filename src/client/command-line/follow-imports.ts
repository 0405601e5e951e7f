import type { ExportedGarment, Garment, Import } from '../types.ts'
import type { Client } from '../create-client.ts'
import { tell } from './command.ts'
import { countWritten, type Progress, type Results } from './results.ts'
import { GarmentTaggingError } from '../connection.ts'
import { sleep } from '../send.ts'
import { pollDelayMs } from '../wait.ts'

/** The fields that a query returns. */
function toGarment(exported: ExportedGarment): Garment {
  const { image_url: _url, attribute: _attribute, uploaded_at: _uploaded, ended_at: _ended, ...rest } = exported
  const { machine: _machine, original_img: _original, ...garment } = rest
  return garment
}

const sumOf = (imports: readonly Import[]) => ({
  /** Whether any has a line that has not ended. */
  isOpen: imports.some(({ done }) => !done),
  /** Lines whose garments were tagged, or could not be. */
  ended: imports.reduce((sum, { totals }) => sum + totals.complete + totals.failed, 0),
  refused: imports.reduce((sum, { totals }) => sum + totals.refused, 0),
  /** When the first one was created. */
  since: imports.map(({ created_at }) => created_at).sort()[0],
})

export interface SentImport {
  readonly id: string
  /** What to add to the number of a line in the import for its number in the file. */
  readonly lineOffset: number
}

interface Lines {
  /** The uuid on each line. Those of refused lines are taken out. */
  readonly uuids: Map<number, string>
  /** The refused lines that were reported, which are added to. */
  readonly known: Set<number>
}

interface Sinks {
  readonly results: Results
  readonly signal: AbortSignal
}

const maxPage = 1000
/** On the standard error; the results have them all. */
const maxTold = 20

/** Reports the refused lines that are not known yet, in their order. Returns the state of the imports. */
export async function reportRefused(
  client: Client,
  imports: readonly SentImport[],
  { uuids, known }: Lines,
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
        if (known.size === maxTold + 1) tell('More lines were refused; the results have them all.')
      }
      cursor = page.next_cursor
    } while (cursor !== null)
  }
  return sumOf(states)
}

interface Bulk {
  readonly imports: readonly SentImport[]
  /** The uuid on each line, by its number in the file. Those of refused lines are taken out. */
  readonly uuids: Map<number, string>
}

interface FollowSinks extends Sinks {
  readonly progress: Progress
}

/** Few garments are queried one by one; for more the export takes fewer requests. */
const maxQueries = 3

/** Follows imports to their end. Writes each result as soon as it is there, and the lines that were refused. */
export async function followImports(client: Client, { imports, uuids }: Bulk, sinks: FollowSinks): Promise<void> {
  const { progress, results, signal } = sinks
  const known = new Set<number>()
  const first = await reportRefused(client, imports, { uuids, known }, sinks)
  progress.update(countWritten(results))
  const waiting = new Set(uuids.values())
  // By the service's clock, so that what was there before the import is not taken for its result.
  let from = first.since
  let state = first
  // Requests are few, so each poll asks for results only if there are new ones.
  for (let polls = 1, read = 0; state.isOpen || read < state.ended; polls++) {
    if (state.isOpen) await sleep(pollDelayMs(polls), signal)
    if (state.isOpen) state = await readState(client, imports, signal)
    if (read < state.ended) from = await writeEnded(client, from, waiting, sinks)
    read = state.ended
  }
  // A line can also be refused when its turn comes: the uuid has other content.
  if (state.refused > known.size) await reportRefused(client, imports, { uuids, known }, sinks)
  const taken = new Set(uuids.values())
  for (const uuid of waiting) if (!taken.has(uuid)) waiting.delete(uuid)
  // What was unchanged was uploaded before.
  if (waiting.size > maxQueries) await writeEnded(client, undefined, waiting, sinks)
  for (const uuid of waiting) {
    await writeOne(client, uuid, sinks)
    progress.update(countWritten(results))
  }
}

async function readState(client: Client, imports: readonly SentImport[], signal: AbortSignal) {
  const states = []
  for (const { id } of imports) states.push(await client.getImport(id, { limit: 1 }, { signal }))
  return sumOf(states)
}

/** Writes what has ended of the garments uploaded at `from` or later. Returns from where to look the next time. */
async function writeEnded(
  client: Client,
  from: string | undefined,
  waiting: Set<string>,
  { results, progress, signal }: FollowSinks,
): Promise<string | undefined> {
  let last = from
  let firstWaiting: string | undefined
  for await (const exported of client.exportGarments({ from }, { signal })) {
    last = exported.uploaded_at
    if (!waiting.has(exported.uuid)) continue
    if (exported.status === 'complete' || exported.status === 'failed') {
      await results.write(toGarment(exported))
      waiting.delete(exported.uuid)
      progress.update(countWritten(results))
    } else firstWaiting ??= exported.uploaded_at
    if (waiting.size === 0) break
  }
  return firstWaiting ?? last
}

/** Writes a garment that was there before the import, waiting for its end. It may have been deleted meanwhile. */
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

/** What came of the lines, and what is left. */
export function tellSummary(results: Results, total: number): void {
  const parts = ['complete', 'failed', 'refused', 'missing'].flatMap((status) => {
    const count = results.counts.get(status) ?? 0
    return count === 0 && status !== 'complete' ? [] : [`${count} ${status}`]
  })
  const left = total - countWritten(results)
  tell(
    left > 0
      ? `Of ${total} lines: ${parts.join(', ')}, ${left} left. The service goes on with what it has accepted. Run the ` +
          'same command again for all results; nothing is tagged twice.'
      : `Of ${total} lines: ${parts.join(', ')}.`,
  )
}
