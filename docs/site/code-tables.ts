import { failureSentences } from '../../src/garment/errors/failure.ts'
import { errorCodes } from '../../src/http/error-codes.ts'

/** Markdown in which the comments `error codes` and `failure codes` are replaced by tables of the codes. */
export const withCodeTables = (markdown: string) =>
  markdown.replace('<!-- error codes -->', errorTable).replace('<!-- failure codes -->', failureTable)

const table = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

function errorTable(): string {
  const rows = Object.entries(errorCodes).map(([code, { status, advice }]) => [`\`${code}\``, String(status), advice])
  return table(['code', 'status', 'what to do'], rows)
}

/** Sentences only insert their parameters, so dots can stand for them. */
const anyParams = new Proxy({}, { get: () => '…' })

function failureTable(): string {
  const rows = Object.entries(failureSentences).map(([code, sentence]) => [
    `\`${code}\``,
    (sentence as (params: object) => string)(anyParams),
  ])
  return table(['failure_code', 'failure_reason'], rows)
}
