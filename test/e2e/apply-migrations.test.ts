import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { applyMigrations, isOutdated } from '../../src/local/apply-migrations.ts'
import { writeConfig } from '../support/write-config.ts'

const state = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const folder = join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject')

afterAll(() => rmSync(state, { recursive: true, force: true }))

/** Records the commands that wrangler would run. Each creates the given database files. */
async function commandsOf(config: string, files: readonly string[]): Promise<string[]> {
  const commands: string[] = []
  const run = async ([, ...args]: readonly string[]) => {
    commands.push(
      args
        .filter((each) => !each.startsWith('-'))
        .slice(0, 4)
        .join(' '),
    )
    mkdirSync(folder, { recursive: true })
    for (const file of files) writeFileSync(join(folder, file), '')
    return await Promise.resolve()
  }
  await applyMigrations(run, config, state)
  return commands
}

it('starts wrangler only where a local database lacks migrations', async () => {
  const one = 'wrangler.toml'
  expect(await commandsOf(one, ['a.sqlite'])).toEqual([expect.stringMatching(/^d1 execute DB /)])
  expect(await commandsOf(one, [])).toEqual([])
  // The runtime creates this file when it starts.
  writeFileSync(join(folder, 'metadata.sqlite'), '')
  expect(await commandsOf(one, [])).toEqual([])
  rmSync(join(folder, 'a.sqlite'))
  expect(await commandsOf(one, ['a.sqlite'])).toEqual(['d1 migrations apply DB'])
  expect(await commandsOf(one, [])).toEqual([])
  const two = writeConfig({ databases: 2 })
  expect(await commandsOf(two, ['b.sqlite'])).toEqual(['d1 migrations apply DB', 'd1 migrations apply DB2'])
  expect(await commandsOf(two, [])).toEqual([])
  writeFileSync(join(state, 'v3', 'd1', 'applied.json'), JSON.stringify({ migrations: ['0000_first.sql'] }))
  expect(await commandsOf(two, [])).toHaveLength(2)
})

it('`npm start` says in one sentence that the local databases are of an earlier version', () => {
  const earlier = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
  const databases = join(earlier, 'v3', 'd1', 'miniflare-D1DatabaseObject')
  expect(isOutdated(earlier)).toBe(false)
  mkdirSync(databases, { recursive: true })
  const database = new DatabaseSync(join(databases, 'a.sqlite'))
  database.exec("CREATE TABLE d1_migrations (name TEXT); INSERT INTO d1_migrations VALUES ('0000_tables.sql')")
  expect(isOutdated(earlier)).toBe(false)
  database.exec("INSERT INTO d1_migrations VALUES ('0000_initial.sql')")
  database.close()
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/local/start.ts', '--persist-to', earlier], {
    encoding: 'utf8',
  })
  rmSync(earlier, { recursive: true })
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    `The local databases belong to an earlier version. Delete ${earlier} and start again.\n`,
  ])
})
