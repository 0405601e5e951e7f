import { describe, expect, it } from 'vitest'
import { splitCsv } from '../../src/client/command-line/upload-csv.ts'

const header = 'UUID,image_url,Brand\r\n'

/** Returns the line number and uuid of each row, from the parts. */
const rowsOf = (text: string) =>
  splitCsv(text).parts.flatMap(({ text: part, lineOffset }) => {
    const { uuids } = splitCsv(part)
    return [...uuids].map(([line, uuid]) => [line + lineOffset, uuid] as const)
  })

describe('a CSV file for imports', () => {
  it('is sent as it is if one import takes it', () => {
    const text = `${header}a,x,"two\nlines"\n\nb,y,\n`
    const { parts, count, uuids } = splitCsv(text)
    expect(parts).toEqual([{ text, lineOffset: 0 }])
    expect([count, [...uuids]]).toEqual([
      2,
      [
        [2, 'a'],
        [5, 'b'],
      ],
    ])
  })

  it('is sent in parts of 10,000 lines with the names of the columns, and lines keep their numbers', () => {
    const rows = Array.from({ length: 25_000 }, (_, i) => `g${i},http://x.test/${i}.jpg,"a\nb"\r\n`)
    const text = header + rows.join('')
    const { parts, count, uuids } = splitCsv(text)
    expect([parts.length, count, uuids.size]).toEqual([3, 25_000, 25_000])
    for (const part of parts) expect(part.text.startsWith(header)).toBe(true)
    expect(parts.map(({ text: part }) => part.slice(header.length)).join('')).toBe(rows.join(''))
    expect(rowsOf(text)).toEqual([...uuids])
    expect(uuids.get(2 + 2 * 24_999)).toBe('g24999')
  })

  it('is sent in parts of less than 8 MiB', () => {
    const rows = Array.from({ length: 300 }, (_, i) => `g${i},http://x.test/,${'ä'.repeat(19_000)}\n`)
    const { parts } = splitCsv(header + rows.join(''))
    expect(parts).toHaveLength(2)
    for (const { text } of parts) expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(8 * 1024 * 1024)
    expect(parts.map(({ text }) => text.slice(header.length)).join('')).toBe(rows.join(''))
  })

  it('is left to the service if it has no rows or columns', () => {
    for (const text of ['', '\n', 'uuid,uuid\na,b\n', ',\n'])
      expect(splitCsv(text)).toEqual({ parts: [{ text, lineOffset: 0 }], count: 0, uuids: new Map() })
  })
})
