import type { Client } from '../../create-client.ts'
import type { Import } from '../../types.ts'
import { tell } from '../command.ts'
import type { Results } from '../results.ts'
import { sumOf, type ImportsState } from './imports-state.ts'

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
): Promise<ImportsState> {
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
