import { describe, expect, it } from 'vitest'
import { csvSentence } from '../../src/csv/csv-problem.ts'
import { escapeFormula, unescapeFormula } from '../../src/csv/formula.ts'
import { readCsv } from '../../src/csv/read-csv.ts'
import { writeRow } from '../../src/csv/write-csv.ts'
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
    ['empty lines', '\n\na,b\n\r\nc,d\n\n'],
    ['needless quotes', '"a","b"\n"c","d"'],
  ])('accepts %s', (_, text) => {
    expect(cellsOf(text)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('stops after as many empty lines as rows are allowed', () => {
    expect(cellsOf(`a${'\n'.repeat(1001)}b`)).toEqual([['a'], ['b']])
    const stopped = [['a'], 'There are more than 1,000 empty lines; nothing below was read.']
    expect(cellsOf(`a${'\n'.repeat(1002)}b`)).toEqual(stopped)
    expect(cellsOf(`a\n${'""\n'.repeat(1001)}b`)).toEqual(stopped)
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
    expect(cellsOf(','.repeat(10))).toEqual(['The row has more than 10 cells.'])
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
    ['\n,,\n', 2, 'The first line has no names of columns.'],
    ['a,,b', 1, 'Column 2 has no name.'],
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
