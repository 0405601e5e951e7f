import { describe, expect, it } from 'vitest'
import { csvSentence, readCsv } from '../../../src/platform/csv/read-csv.ts'
import { readTextFile } from '../../../src/platform/csv/decode-text.ts'
import { escapeFormula, unescapeFormula, writeRow } from '../../../src/platform/csv/write-csv.ts'
import { readCsvTable } from './read-csv-table.ts'

const limits = { maxRows: 1000, maxColumns: 10, maxRowLength: 200 }

const cellsOf = (text: string) =>
  [...readCsv(text, limits)].map((row) => ('cells' in row ? row.cells : csvSentence(row.problem)))

describe('the CSV reader', () => {
  it.each([
    ['LF', 'a,b\nc,d'],
    ['CRLF', 'a,b\r\nc,d\r\n'],
    ['CR', 'a,b\rc,d\r'],
    ['a byte order mark', '\u{feff}a,b\nc,d'],
    ['semicolons', 'a;b\nc;d'],
    ['tabs', 'a\tb\nc\td'],
    ['pipes', 'a|b\nc|d'],
    ['empty lines before semicolons', '\n\r\na;b\nc;d'],
    ['empty lines', '\n\na,b\n\r\nc,d\n\n'],
    ['needless quotes', '"a","b"\n"c","d"'],
  ])('accepts %s', (_, text) => {
    expect(cellsOf(text)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('leaves out any number of rows without content, as spreadsheets leave them, and counts their lines', () => {
    for (const row of ['', ',,,', '""', ' , ', '"","",']) {
      for (const end of ['\n', '\r\n', '\r']) {
        const rows = [...readCsv(`a,b${end}${`${row}${end}`.repeat(12_000)}c,d${end}${row}`, limits)]
        expect(rows).toEqual([
          { line: 1, cells: ['a', 'b'] },
          { line: 12_002, cells: ['c', 'd'] },
        ])
      }
    }
  })

  it('takes the delimiter from a first line sep=, which is no row', () => {
    for (const text of ['sep=;\na;b,c', '\u{feff}sep=;\r\na;b,c', '"sep=;"\ra;b,c', 'SEP=;\na;b,c'])
      expect([...readCsv(text, limits)]).toEqual([{ line: 2, cells: ['a', 'b,c'] }])
    expect(cellsOf('sep=x\na,b')).toEqual([['sep=x'], ['a', 'b']])
  })

  it('accepts blanks around quotes, and quotes within text after a blank', () => {
    expect(cellsOf('a, "b, c" ,d\n "x" ,y, z\na, "b" or c,d\na, "b,c')).toEqual([
      ['a', 'b, c', 'd'],
      ['x', 'y', ' z'],
      ['a', ' "b" or c', 'd'],
      'A quote is not closed within 200 characters.',
    ])
  })

  it('keeps delimiters, line ends and quotes inside quotes', () => {
    expect(cellsOf('"a,1","say ""hi""\r\ntwice",""\nb,,')).toEqual([
      ['a,1', 'say "hi"\r\ntwice', ''],
      ['b', '', ''],
    ])
  })

  it('takes the delimiter from the first line outside of quotes', () => {
    expect(cellsOf('"a,b,c";d\n1,5;2')).toEqual([
      ['a,b,c', 'd'],
      ['1,5', '2'],
    ])
  })

  it('names the line of each problem and continues with the next line', () => {
    const text = ['a,b', '"1\n2",3', '"open,1', 'good,1', '"x"y,1', 'good,2', 'x'.repeat(201), 'good,3'].join('\n')
    const rows = [...readCsv(text, limits)]
    expect(rows.map((row) => ('cells' in row ? row : { ...row, problem: csvSentence(row.problem) }))).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1\n2', '3'] },
      { line: 4, problem: 'There is text after a closing quote.' },
      { line: 5, cells: ['good', '1'] },
      { line: 6, problem: 'There is text after a closing quote.' },
      { line: 7, cells: ['good', '2'] },
      { line: 8, problem: 'The row has more than 200 characters.' },
      { line: 9, cells: ['good', '3'] },
    ])
    expect(cellsOf('a\n"open\nb')).toEqual([['a'], 'A quote is not closed within 200 characters.', ['b']])
    expect(cellsOf(`x${','.repeat(10)}`)).toEqual(['The row has more than 10 cells.'])
  })
})

describe('a file', () => {
  const text = 'uuid,Größe\nä,€ 5'
  const utf16 = (isBig: boolean, mark: string) => {
    const bytes = new Uint8Array(2 * (mark + text).length)
    const view = new DataView(bytes.buffer)
    for (let i = 0; i < bytes.length / 2; i++) view.setUint16(2 * i, (mark + text).charCodeAt(i), !isBig)
    return bytes
  }
  it.each([
    ['UTF-8', new TextEncoder().encode(text)],
    ['UTF-8 with a mark', new TextEncoder().encode(`\u{feff}${text}`)],
    ['UTF-16, little end first', utf16(false, '')],
    ['UTF-16, little end first, with a mark', utf16(false, '\u{feff}')],
    ['UTF-16, big end first', utf16(true, '')],
    ['UTF-16, big end first, with a mark', utf16(true, '\u{feff}')],
    ['Windows-1252', Uint8Array.from(text, (letter) => (letter === '€' ? 0x80 : letter.charCodeAt(0)))],
  ])('may be %s', (_, bytes) => {
    expect(readTextFile(bytes)).toEqual({ text })
  })

  it.each([
    ['UTF-8 with a byte that is not', Uint8Array.of(...new TextEncoder().encode(text), 0xff)],
    ['half a character of UTF-16', Uint8Array.of(0xff, 0xfe, 0x41, 0x00, 0x00, 0xd8, 0x42, 0x00)],
    ['an odd number of bytes in UTF-16', Uint8Array.of(0xff, 0xfe, 0x41, 0x00, 0x42)],
  ])('is refused where it is %s, because other letters would be spoilt', (_, bytes) => {
    expect(readTextFile(bytes)).toEqual({ problem: expect.stringContaining('broken characters') as string })
  })
})

describe('a CSV table', () => {
  it('has rows by the names of its columns, without the space around', () => {
    expect(readCsvTable(' uuid ,image_url,,\n a , https://a.example/ ,,\n', limits)).toEqual({
      columns: ['uuid', 'image_url'],
      rows: [{ line: 2, values: { uuid: 'a', image_url: 'https://a.example/' } }],
      problems: [],
    })
  })

  it('leaves out rows with more or fewer cells than columns, and names them', () => {
    const { rows, problems } = readCsvTable('a,b\n1\n1,2\n1,2,3\n', limits)
    expect(rows).toEqual([{ line: 3, values: { a: '1', b: '2' } }])
    expect(problems).toEqual([
      { line: 2, problem: 'There are 1 cells, but 2 columns.' },
      { line: 4, problem: 'There are 3 cells, but 2 columns.' },
    ])
  })

  it.each([
    ['', 1, 'The file is empty.'],
    ['\n,,\n', 1, 'The file is empty.'],
    ['a,b,a', 1, 'Two columns are named a.'],
    ['"a', 1, 'A quote is not closed within 200 characters.'],
    [`a\n${'1\n'.repeat(1001)}`, 1002, 'There are more than 1,000 rows; split the file.'],
  ])('that cannot be used as a whole has one problem and no rows: %j', (text, line, problem) => {
    expect(readCsvTable(text, limits)).toEqual({ columns: [], rows: [], problems: [{ line, problem }] })
  })

  it('keeps a column that has the name of an inherited property', () => {
    const [row] = readCsvTable('__proto__,constructor\n1,2', limits).rows
    expect(JSON.stringify(row?.values)).toBe('{"__proto__":"1","constructor":"2"}')
  })
})

it.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"\n', '"say ""hi""\n"'],
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ["'=1", "''=1"],
  ['＝1', "'＝1"],
  ['－1', "'－1"],
  ['\n=1', `"'\n'=1"`],
  ['by x;=HYPERLINK("http://a")', `"by x;'=HYPERLINK(""http://a"")"`],
  ['a;" =1', `"a;"" '=1"`],
  ['a\t@b', `"a\t'@b"`],
  ['a\n-b', `"a\n'-b"`],
  ['a = b - c; d', '"a = b - c; d"'],
])('the CSV cell %j is written as %j', (text, cell) => {
  expect(writeRow([text])).toBe(`${cell}\r\n`)
})

it('a cell of 40,000 apostrophes, blanks or separators is read in linear time', () => {
  for (const character of ["'", ' ', ';', '\t', '"'])
    expect(unescapeFormula(escapeFormula(character.repeat(40_000)))).toBe(character.repeat(40_000))
})

it('a CSV row that was written is read as the same text', () => {
  const pieces = ['a', '"', ',', ';', '=', "'", '-', '@', 'ä', '\n', '\t', '＝', ';=', "'\t", '']
  const cells = pieces.flatMap((a) => pieces.map((b) => `${a}${b}x`))
  const columns = cells.map((_, i) => `c${i}`)
  const text = writeRow(columns) + writeRow(cells)
  const { rows } = readCsvTable(text, { maxRows: 1, maxColumns: 300, maxRowLength: 10_000 })
  expect(Object.values(rows[0]?.values ?? {})).toEqual(cells.map((cell) => cell.trim()))
})
