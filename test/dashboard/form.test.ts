import { describe, expect, it } from 'vitest'
import { parseLines, problemsOf, toLines } from '../../src/dashboard/form.ts'
import { safeNext } from '../../src/dashboard/viewer.ts'
import { niceCeiling } from '../../src/dashboard/account/usage-page.tsx'
import { ApiError } from '../../src/platform/http/errors.ts'

describe('problems of the API', () => {
  it('are assigned to the field with the longest matching name, and the rest to the form', () => {
    const failure = new ApiError('invalid_body', 'Invalid request', [
      'uuid: must not be empty',
      'attribute.Brand: must be at most 512 characters',
      'attribute.Season: must be a string',
      'URL is required when webhook is enabled',
      'Something else is wrong',
    ])
    expect(problemsOf(failure, ['uuid', 'attribute', 'attribute.Brand', 'url'], { 'URL is required': 'url' })).toEqual({
      title: 'Invalid request',
      byField: {
        uuid: ['Must not be empty.'],
        'attribute.Brand': ['Must be at most 512 characters.'],
        attribute: ['Season: must be a string.'],
        url: ['URL is required when webhook is enabled.'],
      },
      general: ['Something else is wrong.'],
    })
  })
})

describe('a text area of lines', () => {
  it('parses names and values, including colons in values, and formats them again', () => {
    const text = 'X-One: 1\n\n  Authorization :Bearer a:b \n'
    const { values, problems } = parseLines(text, 'headers')
    expect([values, problems]).toEqual([{ 'X-One': '1', Authorization: 'Bearer a:b' }, []])
    expect(toLines(values)).toBe('X-One: 1\nAuthorization: Bearer a:b')
  })

  it('reports malformed lines and repeated names', () => {
    expect(parseLines('nothing\nA: 1\nA: 2\n: 3', 'headers').problems).toEqual([
      'headers: line 1 must read "Name: value"',
      'headers.A: is given twice',
      'headers: line 4 must read "Name: value"',
    ])
  })
})

it.each([
  ['/dashboard', '/dashboard'],
  ['/dashboard/garment?uuid=a%2Fb', '/dashboard/garment?uuid=a%2Fb'],
  [undefined, '/dashboard'],
  ['https://evil.example/dashboard', '/dashboard'],
  ['//evil.example/dashboard', '/dashboard'],
  ['/\\evil.example/dashboard', '/dashboard'],
  ['\t//evil.example/dashboard', '/dashboard'],
  ['/dashboard/../merchant/sign-in', '/dashboard'],
  ['/dashboard.evil.example', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
  ['http://[', '/dashboard'],
])('a sign-in with next=%j redirects to %s', (next, path) => {
  expect(safeNext(next)).toBe(path)
})

it.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [10, 10],
  [11, 20],
  [700, 1000],
])('a plot with values up to %i has an axis up to %i', (value, top) => {
  expect(niceCeiling(value)).toBe(top)
})
