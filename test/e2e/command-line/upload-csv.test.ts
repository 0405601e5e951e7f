import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { freePort } from '../../support/free-port.ts'
import { useHttpHost } from '../support/use-http-host.ts'
import { startService, type RunningService } from '../../support/start-service.ts'
import { newTenant, run, start } from './run-command.ts'

const dir = mkdtempSync(join(tmpdir(), 'garment-tagging-'))
/** Rate limit. Enough for each test, but below the number of lines in the first test. */
const vars = { RATE_LIMIT_PER_MINUTE: '30' }
const picture = encodeJpeg(makeFlatLay(11, { width: 300, height: 400 }).picture)

let service: RunningService
const host = await useHttpHost()
const imageUrl = host.store('garment.jpg', picture)

beforeAll(async () => {
  service = await startService({ port: await freePort(), persistTo: join(dir, 'state'), vars })
})

afterAll(async () => {
  await service.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** Writes a file in Latin-1, as some spreadsheets still do. */
function write(name: string, text: string): string {
  const path = join(dir, name)
  writeFileSync(path, text, 'latin1')
  return path
}

interface Result {
  readonly uuid: string
  readonly status: string
  readonly failure_reason: string
}

const readResults = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Result[]

const readImportId = (stderr: string) => /Import ([0-9a-f-]{36}):/.exec(stderr)?.[1] ?? ''

describe('garment-tagging upload --csv', () => {
  it('sends more lines than the rate limit has requests, and saves what came of each', async () => {
    const { env, client } = await newTenant(service.url, 'Many')
    // Missing pictures fail at once, which is faster than tagging.
    const others = Array.from({ length: 36 }, (_, i) => `other-${i}`)
    const lines = [
      'UUID;Image URL;Brand;Material',
      `a;${imageUrl};"Änn; Bob";Cotton`,
      `b;${imageUrl};;`,
      'c;ftp://example.com/c.jpg;;',
      ...others.map((uuid) => `${uuid};${host.origin}/files/none.jpg;;`),
    ]
    const csv = write('many.csv', lines.join('\n'))
    const file = join(dir, 'results.csv')
    const { code, stdout, stderr } = await run(['upload', '--csv', csv, '-o', file], env)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^line 4: c was refused\. image_url: /m)
    expect(stderr).toContain('Of 39 lines: 2 complete, 36 failed, 1 refused.')
    const rows = readFileSync(file, 'utf8').trimEnd().split('\r\n')
    expect(rows[0]).toMatch(/^uuid,status,failure_reason,failure_code,description,annotated_img,Brand,/)
    const states = new Map(rows.slice(1).map((row) => [row.split(',')[0], row] as const))
    expect([...states.keys()].sort()).toEqual(['a', 'b', 'c', ...others].sort())
    expect(states.get('b')).toMatch(/^b,complete,/)
    expect(states.get('c')).toMatch(/^c,refused,line 4: image_url: /)
    for (const uuid of others) expect(states.get(uuid)).toMatch(new RegExp(`^${uuid},failed,.*404`))
    expect(states.get('a')).toContain('Änn; Bob')
    expect((await client.query('a')).tag).toMatchObject({ Brand: 'Änn; Bob', Material: 'Cotton' })

    const again = join(dir, 'again.json')
    const repeated = await run(['upload', '--csv', csv, '-o', again], env)
    expect(repeated.stderr).toContain('Of 39 lines: 2 complete, 36 failed, 1 refused.')
    expect(readResults(again)).toHaveLength(39)
    const { totals } = await client.getImport(readImportId(repeated.stderr))
    expect(totals).toMatchObject({ unchanged: 2, failed: 36, refused: 1 })
  })

  it('takes the other lines of a file that has mistakes, and names these once each and in their order', async () => {
    const { env, client } = await newTenant(service.url, 'Mistakes')
    const text = `uuid,image_url\na,${imageUrl}\nb,\na,${imageUrl}\nc,"open\n`
    const { code, stdout, stderr } = await run(['upload', '--csv', '-'], env, text)
    expect([code, stderr.match(/^line .*/gm)]).toEqual([
      1,
      [
        expect.stringMatching(/^line 3: b was refused\. image_url: /),
        'line 4: a was refused. uuid: is already used on line 2',
        expect.stringMatching(/^line 5: .*A quote is not closed/),
      ],
    ])
    const results = JSON.parse(stdout) as Result[]
    expect(results.map(({ uuid, status }) => [uuid, status])).toEqual([
      ['b', 'refused'],
      ['a', 'refused'],
      ['', 'refused'],
      ['a', 'complete'],
    ])
    expect((await client.exportPage()).garments.map(({ uuid }) => uuid)).toEqual(['a'])
    const unnamed = await run(['upload', '--csv', '-'], env, `name,place\na,${imageUrl}\n`)
    expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringContaining('There is no column uuid.')])
  })

  it('changes a garment whose uuid a line has, and refuses one of another picture without showing it', async () => {
    const { env, client } = await newTenant(service.url, 'Conflicts')
    for (const uuid of ['old', 'kept']) await client.uploadAndWait({ uuid, image_url: imageUrl })
    const text = `uuid,image_url,Brand\nold,${imageUrl}?other,Ann\nkept,${imageUrl},Ann\nnew,${imageUrl},Ann\n`
    const { code, stdout } = await run(['upload', '--csv', '-'], env, text)
    expect(code).toBe(1)
    const results = new Map((JSON.parse(stdout) as Result[]).map((each) => [each.uuid, each]))
    expect(results.get('new')?.status).toBe('complete')
    expect(results.get('old')).toMatchObject({ status: 'refused', failure_reason: expect.stringMatching(/^line 2: /) })
    expect(results.get('kept')).toMatchObject({ status: 'complete' })
    expect((await client.query('kept')).tag).toMatchObject({ Brand: 'Ann' })
    expect(results.size).toBe(3)
  })

  it('says of a picture in one line that it is not a CSV file', async () => {
    const path = join(dir, 'shirt.csv')
    writeFileSync(path, picture)
    const { env } = await newTenant(service.url, 'Picture')
    const { code, stderr } = await run(['upload', '--csv', path], env)
    expect([code, stderr.trimEnd().split('\n')]).toEqual([
      2,
      [expect.stringMatching(/shirt\.csv: this is a picture/), 'See garment-tagging upload --help'],
    ])
  })

  it('opens --output before anything is uploaded', async () => {
    const { env, client } = await newTenant(service.url, 'Unwritable')
    const path = join(dir, 'none/results.json')
    for (const args of [['upload', '--csv', '-'], ['upload', imageUrl], ['export']]) {
      const { code, stderr } = await run([...args, '--output', path], env, `uuid,image_url\na,${imageUrl}\n`)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${path} cannot be written`)])
    }
    expect((await client.exportPage()).garments).toEqual([])
  })

  it('keeps what was written when it is interrupted, and the import continues', async () => {
    const { env, client } = await newTenant(service.url, 'Interrupted')
    const file = join(dir, 'interrupted.json')
    const text = `uuid,image_url\nquick,${imageUrl}\nrefused,x\nslow,${host.origin}/files/garment.jpg?silent\n`
    const uploading = start(['upload', '--csv', '-', '-o', file], env, text)
    await expect.poll(() => readFileSync(file, { encoding: 'utf8', flag: 'a+' })).toContain('quick')
    uploading.interrupt()
    const { code, stderr } = await uploading.ended
    expect(code).toBe(130)
    expect(stderr).toMatch(/Of 3 lines: 1 complete, 1 refused, 1 left\. .*Run the same command again/)
    const written = ['refused', 'quick']
    expect(readResults(file).map(({ uuid }) => uuid)).toEqual(written)

    const { done, totals } = await client.getImport(readImportId(stderr))
    expect([done, totals]).toEqual([false, expect.objectContaining({ lines: 3, complete: 1, refused: 1 })])
  })
})
