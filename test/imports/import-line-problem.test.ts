import { describe, expect, it, vi } from 'vitest'
import { uploadSchema } from '../../src/garments/garment-fields.ts'
import { failureCodes, failureReason, storeFailure } from '../../src/garments/failure.ts'
import { storeText } from '../../src/platform/db/stored-text.ts'
import {
  lineProblem,
  otherProblem,
  problemText,
  schemaProblems,
  storeProblems,
} from '../../src/imports/import-line-problem.ts'
import { toProblems } from '../../src/platform/http/validation.ts'
import { openJsonLines, readLines } from '../../src/imports/read-import-lines.ts'
import { ImageError } from '../../src/platform/outbound/fetch-image.ts'
import { settings } from './tenant-imports.ts'

const policy = { settings, ownOrigin: 'https://s.example' }

/** What the schema of an upload says of attributes, which are not yet known to be text. */
function refused(
  attribute: Readonly<Record<string, unknown>>,
  uuid: unknown = 'u',
  url: unknown = 'https://a.example/x',
) {
  const { error } = uploadSchema.safeParse({ uuid, image_url: url, attribute })
  if (error === undefined) throw new Error('The schema refused nothing')
  return error
}

const manyFields = schemaProblems(refused(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [i, i]))))

describe('the stored problem of a line', () => {
  it('has no sentence, and is shown as one', () => {
    const stored = storeProblems([lineProblem('repeated_uuid', { line: 7 })])
    expect(JSON.parse(stored)).toEqual({ code: 'repeated_uuid', params: { line: 7 } })
    expect(problemText(stored)).toBe('uuid: is already used on line 7')
    expect([storeProblems([]), problemText('')]).toEqual(['', ''])
  })

  it('can be several', () => {
    const url = lineProblem('image_url_refused', { problem: 'not_http' })
    expect(problemText(storeProblems([otherProblem('uuid: must not be empty'), url]))).toBe(
      'uuid: must not be empty; image_url: must be an http or https URL',
    )
  })

  it.each([
    ['many', manyFields],
    ['many of a long name', schemaProblems(refused({ ['\u0001'.repeat(70)]: 1, ['"'.repeat(64)]: 'x'.repeat(513) }))],
    ['long ones', [otherProblem('x'.repeat(600)), otherProblem('y'.repeat(600))]],
    ['signs that JSON writes as six', [otherProblem('\u0001'.repeat(600)), otherProblem('uuid: is required')]],
  ])('takes at most 500 characters of %s, stored and shown', (_, problems) => {
    const stored = storeProblems(problems)
    expect([stored.length <= 500, problemText(stored).length <= 500]).toEqual([true, true])
    expect(problemText(stored).length).toBeGreaterThan(50)
  })

  it('of thousands, as a line of 40,000 characters can have them, is written once', () => {
    const problems = Array.from({ length: 5000 }, (_, i) => lineProblem('field', { name: `${i}`, problem: 'empty' }))
    const written = vi.spyOn(JSON, 'stringify')
    const stored = storeProblems(problems)
    const count = written.mock.calls.length
    written.mockRestore()
    expect(problemText(stored)).toMatch(/^0: must not be empty; .* and 49\d\d more$/)
    expect(count).toBeLessThan(problems.length + 20)
  })

  it('says how many did not fit', () => {
    expect(problemText(storeProblems(manyFields))).toMatch(
      /^attribute\.0: must be a string; .*; attribute\.(\d+): must be a string; and (\d+) more$/,
    )
  })

  it.each([
    ['a value that is no text', refused({ Size: 38 })],
    ['a long value', refused({ Size: 'x'.repeat(513) })],
    ['a long key', refused({ ['k'.repeat(65)]: 'x' })],
    ['an empty key', refused({ '': 'x' })],
    ['many keys', refused(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, 'x'])))],
    ['a uuid that is missing', refused({}, null)],
    ['an empty uuid', refused({}, '')],
    ['a long uuid', refused({}, 'u'.repeat(129))],
    ['a uuid with a control character', refused({}, 'a\u0000')],
    ['an address that is no text', refused({}, 'u', 7)],
    ['several of these', refused({ Size: 38, Brand: 'x'.repeat(513) }, '', null)],
  ])('has a code for %s, and no sentence, and is shown as the API says it', (_, error) => {
    const stored = storeProblems(schemaProblems(error))
    expect(stored).toMatch(/^\[?\{"code":"field"/)
    expect(stored).not.toMatch(/must|invalid/)
    expect(problemText(stored)).toBe(toProblems(error).join('; '))
  })

  it('has a code for a field whose name is nearly right', () => {
    const { rows } = openJsonLines('{"uuid":"a","image_url":"https://a.example/x","atribute":{}}')
    const [line] = [...readLines(rows, { policy })]
    expect(line?.problem).toBe('{"code":"near_miss","params":{"name":"atribute","meant":"attribute"}}')
    expect(problemText(line?.problem ?? '')).toBe('atribute: is not a field; did you mean attribute?')
  })

  it('may be the failure of its garment', () => {
    const failure = storeFailure(new ImageError('passing', 'host_status', { status: 503 }), 5)
    expect(problemText(failure)).toBe('The image host answered with HTTP 503. It was tried 5 times.')
  })

  it('of a later version, with a code that is not known, is shown as its code', () => {
    expect(problemText('{"code":"too_beautiful","params":{}}')).toBe('too_beautiful')
  })
})

it('a JSON line with half of a surrogate pair has a code that says so', () => {
  const line = String.raw`{"uuid": "a", "image_url": "https://a.example/x.jpg", "attribute": {"Brand": "\ud83d"}}`
  const policy = { settings: { ALLOW_LOCAL_TARGETS: false, OWN_HOSTS: [], PUBLIC_URL: undefined }, ownOrigin: '' }
  const [read] = [...readLines(openJsonLines(line).rows, { policy })]
  expect(problemText(read?.problem ?? '')).toBe('line: must be well-formed Unicode')
})

it('a line whose garment failed says what the garment says', () => {
  const params = { width: 1, height: 1, min: 2, max: 3, format: 'JPEG', formats: 'JPEG', kind: 'JPEG', megapixels: 1 }
  const stored = failureCodes
    .filter((code) => code !== 'url_refused' && code !== 'redirect_refused')
    .map((code) => storeText(code, { ...params, status: 404, seconds: 1, mebibytes: 1, encoding: 'br' }))
  expect(stored.map(problemText)).toEqual(stored.map(failureReason))
})
