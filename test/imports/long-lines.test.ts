import { expect, it } from 'vitest'
import { storeLines } from '../../src/imports/store-import-lines.ts'
import { streamReport, walkImport } from '../../src/imports/get-import.ts'
import { countEncoded } from '../exports/count-encoded.ts'
import { call, databaseOf, newTenant } from '../service.ts'
import { csvOf, numbered, settings } from './tenant-imports.ts'

const longLines = 70

/** 50 attributes of 512 Chinese letters: 77 kB a line. */
function longCsv() {
  const names = Array.from({ length: 50 }, (_, i) => `Note ${i}`)
  const cells = Array.from({ length: 50 }, () => '衣'.repeat(512)).join(',')
  const rows = numbered(longLines).map((uuid) => `${uuid},http://127.0.0.1:9/a.jpg,${cells}\n`)
  return `uuid,image_url,${names.join(',')}\n${rows.join('')}`
}

async function newImport(text: string) {
  const { tenantId, auth } = await newTenant()
  const db = databaseOf(tenantId)
  const by = { kind: 'member', id: 'm', name: 'Ann' } as const
  const file = { name: 'stock.csv', text, by, origin: 'https://s.example' }
  const { id } = await storeLines({ db, settings }, tenantId, file, 1000)
  return { db, tenantId, id, auth }
}

let longImport: ReturnType<typeof newImport> | undefined

/** Stored once, since 5 MB take long, for tests that only read it. */
const getLongImport = async () => await (longImport ??= newImport(longCsv()))

it('a page of long lines has 4 MiB, and the next one continues after it', async () => {
  const { id, auth } = await getLongImport()
  const path = `/garment-tagging/import?id=${id}&limit=1000`
  const first = (await call('GET', path, auth)).body.data
  expect(first.lines.length).toBeLessThan(longLines)
  expect(new TextEncoder().encode(JSON.stringify(first.lines)).length).toBeLessThan(4.01 * 1024 * 1024)
  const second = (await call('GET', `${path}&cursor=${first.next_cursor}`, auth)).body.data
  expect(second.next_cursor).toBe(null)
  const uuids = [...first.lines, ...second.lines].map(({ uuid }: { uuid: string }) => uuid)
  expect(uuids).toEqual(numbered(longLines))
})

it('the lines of an import are read in steps of at most 50, and of fewer where they are long', async () => {
  const stepsOf = async ({ db, tenantId, id }: Awaited<ReturnType<typeof newImport>>, limit = Infinity) => {
    const steps: number[] = []
    for await (const { lines } of walkImport(db, tenantId, id, { after: 0, limit })) steps.push(lines.length)
    return steps
  }
  const short = await newImport(csvOf(numbered(130)))
  expect(await stepsOf(short)).toEqual([10, 50, 50, 20])
  expect(await stepsOf(short, 30)).toEqual([10, 20])
  expect(Math.max(...(await stepsOf(await getLongImport())))).toBe(10)
})

it('the report lets other requests run while it is written', async () => {
  const { db, tenantId, id } = await getLongImport()
  let text = ''
  const turns = await countEncoded(async () => {
    text = await new Response(await streamReport(db, tenantId, id)).text()
  })
  // Twice for each 100,000 characters.
  expect(text.length).toBeGreaterThan(1_700_000)
  expect(turns.length).toBeGreaterThan(30)
})
