import { failureSentences } from '../../src/garments/failure.ts'
import { errorCodes } from '../../src/platform/http/errors.ts'

const errorComment = '<!-- error codes -->'

/**
 * Markdown in which the comments `error codes` and `failure codes` are replaced by tables of the codes. Throws where a
 * page has all error codes, but leaves out one of their statuses.
 */
export function withCodeTables(markdown: string): string {
  for (const [code, { status }] of Object.entries(errorCodes))
    if (markdown.includes(errorComment) && !markdown.includes(`\n| ${status} `))
      throw new Error(`The page with the error codes has no row for the status ${status} of ${code}`)
  return markdown.replace(errorComment, errorTable).replace('<!-- failure codes -->', failureTable)
}

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
