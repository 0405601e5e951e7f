import { basename } from 'node:path'
import type { Client } from '../../create-client.ts'
import { tell } from '../command.ts'
import { startProgress, type Progress } from '../progress.ts'
import { countResults, openResults } from '../results.ts'
import { followImports } from './follow-imports.ts'
import { reportRefused, type SentImport } from './report-refused.ts'
import { splitCsv } from './split-csv.ts'
import { tellSummary } from './tell-summary.ts'

interface CsvFile {
  /** `-` for the standard input. */
  readonly path: string
  readonly text: string
}

interface Values {
  readonly 'no-wait'?: boolean | undefined
  readonly format?: string | undefined
  readonly output?: string | undefined
}

/** Where repetitions of requests are shown. */
interface Shown {
  progress?: Progress | undefined
}

/** Sends a CSV file as an import, or as several if it is large, and writes the results. Returns the exit code. */
export async function uploadCsv(
  client: Client,
  { path, text: fileText }: CsvFile,
  values: Values,
  shown: Shown,
  signal: AbortSignal,
): Promise<number> {
  const { parts, count, uuids } = splitCsv(fileText)
  const waits = values['no-wait'] !== true
  const results = waits ? openResults(client, values, true) : countResults()
  const name = path === '-' ? 'Standard input' : basename(path).slice(-200)
  const imports: SentImport[] = []
  try {
    for (const { text, lineOffset } of parts) {
      const { id, accepted, refused } = await client.importGarments(text, { name, signal })
      imports.push({ id, lineOffset })
      tell(`Import ${id}: ${accepted} accepted, ${refused} refused.`)
    }
    if (waits) {
      shown.progress = startProgress('Tagging', count)
      await followImports(client, { imports, uuids }, { results, progress: shown.progress, signal })
    } else await reportRefused(client, imports, { uuids, known: new Set() }, { results, signal })
  } finally {
    shown.progress?.end()
    await results.end()
    if (imports.length > 0 && waits) tellSummary(results, count)
  }
  return (results.counts.get('complete') ?? 0) === count || (!waits && results.counts.size === 0) ? 0 : 1
}
