import { nameOf, pictureAt } from '../../src/garments/pictures/garment-picture.ts'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { CsvFileError } from '../../src/platform/csv/read-csv.ts'
import { problemText } from '../../src/imports/import-line-problem.ts'
import { openRows, readLines } from '../../src/imports/read-import-lines.ts'
import { storeLines } from '../../src/imports/store-import-lines.ts'

import { countDatabase } from '../support/count-database.ts'
import { csvOf, newImporter, numbered, settings } from './tenant-imports.ts'

const policy = { settings: { ...settings, ALLOW_LOCAL_TARGETS: false }, ownOrigin: 'https://s.example' }

/** The lines of a file, or the problem with the file as a whole. */
function read(text: string) {
  try {
    const { rows, read: columns } = openRows(text)
    return { lines: [...readLines(rows, { policy, read: columns })] }
  } catch (error) {
    if (!(error instanceof CsvFileError)) throw error
    return { lines: [], problem: { line: error.line, problem: error.message } }
  }
}

describe('the lines of a CSV file', () => {
  it('have their attributes by the names of the columns, the known ones in any case', () => {
    const { lines } = read('Image URL;UUID;brand;Fabric weight;GENDER\nhttps://a.example/x.jpg;a;Acme;200 g;\n')
    expect(lines).toEqual([
      {
        line: 2,
        uuid: 'a',
        pictures: [pictureAt('https://a.example/x.jpg')],
        attribute: '{"Brand":"Acme","Fabric weight":"200 g"}',
        number: null,
        status: 'waiting',
        problem: '',
      },
    ])
  })

  it('have several pictures from lines of a cell, from blanks before addresses, and from further columns', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `https://a.example/${name}.jpg`)
    const { lines } = read(
      `uuid,image_url,Image URL 3,image_url_2\n1,"${a}\r\n${b}\n",,\n2,${a}  ${b},${d},${c}\n3,${a},,\n4,${a} ${a},,\n`,
    )
    expect(lines.map(({ pictures, problem }) => [pictures?.map(({ url }) => url), problem])).toMatchObject([
      [[a, b], ''],
      [[a, b, c, d], ''],
      [[a], ''],
      [[`${a} ${a}`], expect.stringContaining('image_twice')],
    ])
  })

  it('have what their pictures show from the column kinds, which names mistakes as an upload does', () => {
    const [a, b] = ['https://a.example/a.jpg', 'https://a.example/b.jpg']
    const { lines } = read(
      `uuid,image_url,kinds\n1,${a} ${b},"front, LABEL"\n2,${a} ${b},",back"\n3,${a},front\n4,${a} ${b},"front,side"\n5,${a},"front,back"\n`,
    )
    expect(lines.map(({ pictures, problem }) => [pictures, problemText(problem)])).toEqual([
      [[pictureAt(a, 'front'), pictureAt(b, 'label')], ''],
      [[pictureAt(a), pictureAt(b, 'back')], ''],
      [[pictureAt(a, 'front')], ''],
      [[pictureAt(`${a} ${b}`)], expect.stringMatching(/^images\.1\.kind: must be one of front, back/)],
      [[pictureAt(`${a} `)], 'image_url: is required'],
    ])
    expect(JSON.parse(lines[3]?.attribute ?? '')).toEqual({ kinds: 'front,side' })
  })

  it("are refused if a spreadsheet has spoilt their uuid, in a picture's line and in a change", () => {
    const uuids = ['4.05E+12', '4,05E+12', '-1E-07', '="000124"', '=A1', '12E5', '4.05', '000124']
    const cells = uuids.map((uuid) => `"${uuid.replaceAll('"', '""')}"`)
    const { lines } = read(`uuid,image_url\n${cells.map((cell) => `${cell},https://a.example/1.jpg\n`).join('')}`)
    const edited = openRows(`uuid,Brand\n${cells.map((cell) => `${cell},A\n`).join('')}`)
    const edits = [...readLines(edited.rows, { policy, read: edited.read })]
    for (const each of [lines, edits]) {
      const problems = each.map(({ problem }) => problemText(problem))
      for (const rounded of problems.slice(0, 3)) expect(rounded).toContain('has rounded this number')
      for (const formula of problems.slice(3, 5)) expect(formula).toContain('spreadsheet formula')
      expect(problems.slice(5)).toEqual(['', '', ''])
    }
  })

  it('are those with content only, as spreadsheets save them', () => {
    const line = {
      number: null,
      status: 'waiting',
      uuid: 'a',
      pictures: [pictureAt('https://a.example/1.jpg')],
      problem: '',
    }
    const commas = read(`uuid,image_url,Brand\r\na,https://a.example/1.jpg,A\r\n${',,\r\n'.repeat(12_000)}`)
    expect(commas).toEqual({ lines: [{ ...line, line: 2, attribute: '{"Brand":"A"}' }] })
    const separated = read('sep=;\r\nuuid;image_url\r\na;https://a.example/1.jpg\r\n')
    expect(separated).toEqual({ lines: [{ ...line, line: 3, attribute: '{}' }] })
  })

  it('are stored if they are good, and named with their problem if not', () => {
    const rows = [
      'good,https://a.example/1.jpg,',
      ',https://a.example/1.jpg,',
      'a,ftp://a.example/1.jpg,',
      'b,https://s.example/own.jpg,',
      'c,http://127.0.0.1/1.jpg,',
      `d,https://a.example/1.jpg,${'x'.repeat(513)}`,
      'good,https://a.example/2.jpg,',
      'e,https://a.example/1.jpg',
      '"open,https://a.example/1.jpg,',
    ]
    const { lines } = read(`uuid,image_url,Brand\n${rows.join('\n')}`)
    const problems = Object.fromEntries(lines.map(({ line, problem }) => [line, problemText(problem)]))
    expect(problems).toEqual({
      2: '',
      3: 'uuid: must not be empty',
      4: expect.stringMatching(/^image_url: /),
      5: expect.stringMatching(/^image_url: /),
      6: expect.stringMatching(/^image_url: /),
      7: 'attribute.Brand: must be at most 512 characters',
      8: 'uuid: is already used on line 2',
      9: 'There are 2 cells, but 3 columns.',
      10: 'A quote is not closed within 40000 characters.',
    })
  })

  it.each([
    ['a,b\n1,2', 'There is no column uuid.'],
    ['uuid,image_url,brand,brand\n1,2,3,4', 'Two columns are named brand.'],
    ['', 'The file is empty.'],
    [csvOf(numbered(10_001)), 'There are more than 10,000 rows; split the file.'],
  ])('are none where the file cannot be used as a whole: %#', (text, problem) => {
    expect(read(text)).toMatchObject({ lines: [], problem: { problem } })
  })
})

describe('the control characters of a line', () => {
  it('refuse it, and are replaced in what is stored of it', () => {
    const { lines } = read('uuid,image_url,Note\na,https://a.example/1.jpg,"1\t2\n3"\nb\u0001,x\u0002,4\u00005\u007f\n')
    expect(lines.map(({ attribute }) => attribute)).toEqual(['{"Note":"1\\t2\\n3"}', '{"Note":"4\ufffd5\ufffd"}'])
    expect(lines.map(({ uuid, pictures }) => [uuid, ...(pictures ?? []).map(nameOf)])).toEqual([
      ['a', 'https://a.example/1.jpg'],
      ['b\ufffd', 'x\ufffd'],
    ])
    expect(problemText(lines[1]?.problem ?? '')).toContain('attribute.Note: must not contain control characters')
  })

  it('do not make what is stored longer, nor does any other text: a refused line has 16 KiB at most', () => {
    const cells = ['\u0000'.repeat(38_000), '衣'.repeat(38_000), '"'.repeat(18_000), '"衣",'.repeat(5_000)]
    const rows = cells.map((cell, i) => `${i},https://a.example/1.jpg,"${cell.replaceAll('"', '""')}",behind\n`)
    const { lines } = read(`uuid,image_url,A,B\n${rows.join('')}`)
    const stored = lines.map(({ attribute, problem }) => [new TextEncoder().encode(attribute).length, problem !== ''])
    for (const [bytes] of stored) expect(bytes).toBeLessThanOrEqual(16 * 1024)
    expect(stored.map(([, isRefused]) => isRefused)).toEqual([true, true, true, true])
    for (const { attribute } of lines) expect(attribute.endsWith('…"}')).toBe(true)
  })

  it('leave a line complete that can be uploaded', () => {
    const names = Array.from({ length: 40 }, (_, i) => `Note ${i}`)
    const { lines } = read(
      `uuid,image_url,${names.join(',')}\na,https://a.example/1.jpg${',衣'.padEnd(512, '衣').repeat(40)}`,
    )
    expect([lines[0]?.problem, JSON.parse(lines[0]?.attribute ?? '')['Note 39']]).toEqual(['', '衣'.repeat(511)])
  })
})

describe('a stored CSV file', () => {
  it('has all its lines, the bad ones with their problem, and their counts', async () => {
    const importer = await newImporter()
    const id = await importer.store(`${csvOf(['a', 'b'])}c,ftp://x\n`)
    expect(await importer.imports()).toMatchObject([
      { id, name: 'stock.csv', waiting: 2, refused: 1, storedAt: 1000, endedAt: null },
    ])
    const lines = await importer.lines()
    expect(lines.map(({ line, uuid, status }) => [line, uuid, status])).toEqual([
      [2, 'a', 'waiting'],
      [3, 'b', 'waiting'],
      [4, 'c', 'refused'],
    ])
    expect(new Set(lines.map(({ revision }) => revision)).size).toBe(3)
  })

  it('with only bad lines ends at once', async () => {
    const importer = await newImporter()
    await importer.store('uuid,image_url\na,b\n')
    expect(await importer.imports()).toMatchObject([{ waiting: 0, refused: 1, endedAt: 1000 }])
  })

  it('with 10,000 long lines takes few statements', async () => {
    const importer = await newImporter()
    const columns = Array.from({ length: 8 }, (_, i) => `Attribute ${i}`)
    const long = 'ä'.repeat(40)
    const rows = numbered(10_000).map(
      (uuid) => `${uuid},http://127.0.0.1:9/${uuid},${columns.map(() => long).join(',')}`,
    )
    let trips = 0
    const { DB } = countDatabase(importer.db.$client, () => trips++)
    const file = {
      name: 'x',
      text: `uuid,image_url,${columns.join(',')}\n${rows.join('\n')}`,
      by: { kind: 'member', id: 'm', name: 'Ann' } as const,
      origin: 'https://s.example',
    }
    // Now, since a sweep removes what it finds half stored of 1970.
    await storeLines({ db: openDatabase(DB), settings }, importer.tenantId, file, Date.now())
    expect(await importer.imports()).toMatchObject([{ waiting: 10_000, refused: 0 }])
    expect((await importer.lines()).length).toBe(10_000)
    expect(trips).toBeLessThanOrEqual(40)
  })

  it('with a column of the longest name keeps a short problem of each line', async () => {
    const importer = await newImporter()
    const rows = numbered(50).map((uuid) => `${uuid},https://a.example/${uuid},x`)
    await importer.store(`uuid,image_url,${'n'.repeat(39_000)}\n${rows.join('\n')}`)
    const lines = await importer.lines()
    expect(lines.map(({ status }) => status)).toEqual(Array(50).fill('refused'))
    expect(Math.max(...lines.map(({ problem }) => problem.length))).toBeLessThanOrEqual(500)
    expect(Math.max(...lines.map(({ storedProblem }) => storedProblem.length))).toBeLessThanOrEqual(500)
  })

  it('lets other requests run while it is read', async () => {
    const importer = await newImporter()
    let turns = 0
    let isDone = false
    const others = (async () => {
      for (; !isDone; turns++) await new Promise((resolve) => setTimeout(resolve, 0))
    })()
    await expect(importer.store(csvOf(numbered(10_001)))).rejects.toMatchObject({ status: 400 })
    isDone = true
    await others
    expect(turns).toBeGreaterThanOrEqual(50)
  })

  it('is refused while too many imports are under way, and for a file without lines', async () => {
    const importer = await newImporter()
    await expect(importer.store('uuid,image_url\n')).rejects.toMatchObject({ status: 400 })
    const stored = await Promise.allSettled(numbered(22).map(async (uuid) => await importer.store(csvOf([uuid]))))
    expect(stored.filter(({ status }) => status === 'fulfilled').length).toBe(20)
    await expect(importer.store(csvOf(['x']))).rejects.toMatchObject({ status: 429 })
    await importer.run()
    await importer.endGarments('complete', importer.uploaded)
    await importer.run()
    await importer.store(csvOf(['x']))
  })
})
