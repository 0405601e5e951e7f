import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { applyMigrations } from '../../src/local/apply-migrations.ts'
import { writeConfig } from '../support/write-config.ts'

const state = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
const folder = join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject')

afterAll(() => rmSync(state, { recursive: true, force: true }))

/** What wrangler is asked to do, which leaves the files of its databases. */
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
  // The runtime's own, which comes when it starts.
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
