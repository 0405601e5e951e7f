/**
 * `npm run restore -- --env production --database DB2 --service https://… --to 2026-11-21T12:00:00Z`: restores one D1
 * database by Time Travel with tagging and deliveries paused, deletes again what was deleted since then, and reports
 * pictures without a row and rows without a picture. Without `--to` it restores nothing and does only what follows a
 * restore. OPERATOR_TOKEN is read from the environment. Safe to run again. Runs in Node.js.
 */
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { firstDatabase } from '../db/databases/database-number.ts'
import { comparePictures, type PicturePage } from './compare-pictures.ts'
import { applyMigrations, OperatorError, runToEnd, say, wrangler } from './wrangler.ts'

const usage =
  'Usage: OPERATOR_TOKEN=… npm run restore -- --database DB2 --service https://<your service> [--env production --to 2026-11-21T12:00:00Z]'

interface Options {
  readonly env: string | undefined
  /** A binding: DB, or DB2. */
  readonly database: string
  readonly service: string
  /** The time to restore; undefined to restore nothing. */
  readonly to: string | undefined
  readonly report: string
}

function readOptions(): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { env: text, database: text, service: text, to: text, report: text } })
  const { env, to, database = '', service = '' } = values
  if (!/^DB\d{0,4}$/.test(database) || !URL.canParse(service)) throw new OperatorError(usage)
  if (to !== undefined && (Number.isNaN(Date.parse(to)) || Date.parse(to) > Date.now()))
    throw new OperatorError('--to must be a time in the past, such as 2026-11-21T12:00:00Z.')
  if ((to === undefined) !== (env === undefined))
    throw new OperatorError(`--env and --to belong together: Cloudflare's Time Travel restores it.\n${usage}`)
  return { env, to, database, service, report: values.report ?? `restore-${database}.json` }
}

/** Calls the service as its operator. */
async function ask<T>({ service }: Options, method: string, path: string, body?: object): Promise<T> {
  const { OPERATOR_TOKEN: token } = process.env
  if (token === undefined) throw new OperatorError(`Set OPERATOR_TOKEN to that of the service.\n${usage}`)
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(new URL(path, service), init).catch((error: unknown) => {
    throw new OperatorError(`${service} cannot be reached: ${String(error)}`)
  })
  const text = await response.text()
  if (!response.ok) throw new OperatorError(`${method} ${path} failed with ${response.status}: ${text.slice(0, 1000)}`)
  return (JSON.parse(text) as { readonly data: T }).data
}

const pause = async (options: Options) =>
  await ask(options, 'PUT', '/operator/pause', { tagging: true, deliveries: true })

async function timeTravel(database: string, env: string, to: string): Promise<void> {
  const run = async (...args: string[]) => {
    const { ok, stdout, output } = await wrangler('d1', 'time-travel', ...args, '--env', env, '--json')
    if (!ok) throw new OperatorError(`${database} was not restored.\n${output}`)
    return JSON.parse(stdout) as { readonly bookmark: string }
  }
  const { bookmark } = await run('info', database)
  say(`To undo this: npx wrangler d1 time-travel restore ${database} --env ${env} --bookmark ${bookmark}`)
  await run('restore', database, '--timestamp', to)
  say(`${database} is as it was at ${to}.`)
}

interface Step {
  readonly deleted: number
  readonly hosted: number
  readonly cursor: string | null
}

async function deleteAgain(options: Options, number: number): Promise<void> {
  let [deleted, hosted] = [0, 0]
  let cursor: string | null | undefined
  while (cursor !== null) {
    const body = { database: number, cursor: cursor ?? undefined }
    const step: Step = await ask(options, 'POST', '/operator/restore', body)
    deleted += step.deleted
    hosted += step.hosted
    cursor = step.cursor
  }
  if (number === firstDatabase) say('All sessions, access tokens, links for passwords and invitations were ended.')
  say(`${deleted} tenants, accounts and keys that had come back were deleted again.`)
  say(`${hosted} tenants that are younger than ${options.database} got their row.`)
}

async function* listPictures(options: Options, number: number): AsyncGenerator<PicturePage> {
  const before = new Date().toISOString()
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = new URLSearchParams({ database: String(number), before, ...(cursor === '' ? {} : { cursor }) })
    const page: PicturePage & { cursor: string | null } = await ask(
      options,
      'GET',
      `/operator/pictures?${query.toString()}`,
    )
    yield page
    cursor = page.cursor
  }
}

await runToEnd(async () => {
  const options = readOptions()
  const { env, to, database, report } = options
  const number = Number(database.slice(2) || firstDatabase)
  await pause(options)
  say('Tagging and deliveries are paused.')
  if (env !== undefined && to !== undefined) {
    await timeTravel(database, env, to)
    // The pause is stored in the first database, and is older there now. Its tables are, too, so this may fail.
    await pause(options).catch(() => {})
    await applyMigrations(database, env)
    await pause(options)
  }
  await deleteAgain(options, number)
  const found = await comparePictures(listPictures(options, number))
  writeFileSync(report, `${JSON.stringify(found, null, 2)}\n`)
  say(`${found.rowsWithoutPicture.length} rows lack their picture or file, and`)
  say(`${found.picturesWithoutRow.length} pictures or files have no row: ${report} names them.`)
  say(
    'Look at some results, then resume: PUT /operator/pause with {"tagging": false}, later with {"deliveries": false}.',
  )
})
