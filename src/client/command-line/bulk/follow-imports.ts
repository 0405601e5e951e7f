import type { Client } from '../../create-client.ts'
import { GarmentTaggingError } from '../../error.ts'
import { sleep } from '../../sleep.ts'
import { pollDelayMs } from '../../wait.ts'
import type { Progress } from '../progress.ts'
import type { Results } from '../results.ts'
import { toGarment } from './to-garment.ts'
import { sumOf, type ImportsState } from './imports-state.ts'
import { reportRefused, type SentImport } from './report-refused.ts'

interface Bulk {
  readonly imports: readonly SentImport[]
  /** The uuid on each line, by its number in the file. Those of refused lines are taken out. */
  readonly uuids: Map<number, string>
}

interface Sinks {
  readonly results: Results
  readonly progress: Progress
  readonly signal: AbortSignal
}

/** Few garments are queried one by one; for more the export takes fewer requests. */
const maxQueries = 3

/** Follows imports to their end. Writes each result as soon as it is there, and the lines that were refused. */
export async function followImports(client: Client, { imports, uuids }: Bulk, sinks: Sinks): Promise<void> {
  const { progress, results, signal } = sinks
  const known = new Set<number>()
  const first = await reportRefused(client, imports, { uuids, known }, sinks)
  progress.update(countOf(results))
  const waiting = new Set(uuids.values())
  // Of the service's clock. What was there before the import is not taken for its result.
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
    progress.update(countOf(results))
  }
}

async function readState(client: Client, imports: readonly SentImport[], signal: AbortSignal): Promise<ImportsState> {
  const states = []
  for (const { id } of imports) states.push(await client.getImport(id, { limit: 1 }, { signal }))
  return sumOf(states)
}

const countOf = ({ counts }: Results) => [...counts.values()].reduce((sum, count) => sum + count, 0)

/** Writes what has ended of the garments uploaded at `from` or later. Returns from where to look the next time. */
async function writeEnded(
  client: Client,
  from: string | undefined,
  waiting: Set<string>,
  { results, progress, signal }: Sinks,
): Promise<string | undefined> {
  let last = from
  let firstWaiting: string | undefined
  for await (const exported of client.exportGarments({ from }, { signal })) {
    last = exported.uploaded_at
    if (!waiting.has(exported.uuid)) continue
    if (exported.status === 'complete' || exported.status === 'failed') {
      await results.write(toGarment(exported))
      waiting.delete(exported.uuid)
      progress.update(countOf(results))
    } else firstWaiting ??= exported.uploaded_at
    if (waiting.size === 0) break
  }
  return firstWaiting ?? last
}

/** Writes a garment that was there before the import, waiting for its end. It may have been deleted meanwhile. */
async function writeOne(client: Client, uuid: string, { results, signal }: Sinks): Promise<void> {
  try {
    const garment = await client.query(uuid, { signal })
    const hasEnded = garment.status === 'complete' || garment.status === 'failed'
    await results.write(hasEnded ? garment : await client.wait(uuid, { signal }))
  } catch (error) {
    if (!(error instanceof GarmentTaggingError) || error.code !== 'garment_not_found') throw error
    await results.write({ uuid, status: 'missing', failure_reason: error.message })
  }
}
