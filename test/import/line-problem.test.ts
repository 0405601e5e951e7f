import { describe, expect, it } from 'vitest'
import { storeFailure } from '../../src/garment/errors/failure.ts'
import { invalidField, lineProblem, problemText, storeProblems } from '../../src/import/line-problem.ts'
import { ImageError } from '../../src/outbound/image-error.ts'

describe('the stored problem of a line', () => {
  it('has no sentence, and is shown as one', () => {
    const stored = storeProblems([lineProblem('repeated_uuid', { line: 7 })])
    expect(JSON.parse(stored)).toEqual({ code: 'repeated_uuid', params: { line: 7 } })
    expect(problemText(stored)).toBe('uuid: is on line 7 too')
    expect([storeProblems([]), problemText('')]).toEqual(['', ''])
  })

  it('can be several', () => {
    const url = lineProblem('image_url_refused', { problem: 'not_http' })
    expect(problemText(storeProblems([invalidField('uuid: must not be empty'), url]))).toBe(
      'uuid: must not be empty; image_url: must be an http or https URL',
    )
  })

  it.each([
    ['many', Array.from({ length: 30 }, (_, i) => invalidField(`attribute.${i}: must be a string`))],
    ['long ones', [invalidField('x'.repeat(600)), invalidField('y'.repeat(600))]],
    ['signs that JSON writes as six', [invalidField('\u0001'.repeat(600)), invalidField('uuid: is required')]],
  ])('takes at most 500 characters of %s, stored and shown', (_, problems) => {
    const stored = storeProblems(problems)
    expect([stored.length <= 500, problemText(stored).length <= 500]).toEqual([true, true])
    expect(problemText(stored).length).toBeGreaterThan(50)
  })

  it('says how many did not fit', () => {
    const problems = Array.from({ length: 30 }, (_, i) => invalidField(`attribute.${i}: must be a string`))
    expect(problemText(storeProblems(problems))).toMatch(
      /^attribute\.0: must be a string; .*; attribute\.(\d+): must be a string; and (\d+) more$/,
    )
  })

  it('may be the failure of its garment', () => {
    const failure = storeFailure(new ImageError('passing', 'host_status', { status: 503 }), 5)
    expect(problemText(failure)).toBe('The image host answered with HTTP 503. It was tried 5 times.')
  })

  it.each(['uuid: is on line 2 too', '{attribute: is not a field', '[1', '7', '"x"', 'null', '[]x'])(
    'of an earlier version, the sentence %j, is shown as it is',
    (sentence) => expect(problemText(sentence)).toBe(sentence),
  )

  it('of a later version, with a code that is not known, is shown as its code', () => {
    expect(problemText('{"code":"too_beautiful","params":{}}')).toBe('too_beautiful')
  })
})
