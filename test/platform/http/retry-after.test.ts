import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from '../../../src/platform/http/retry-after.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const dayMs = 86_400_000

describe('parseRetryAfter', () => {
  const date = (ms: number) => new Date(now + ms).toUTCString()
  it.each([
    ['seconds', '120', 120_000],
    ['zero', '0', 0],
    ['blanks around it', ' 7 ', 7_000],
    ['a date', date(90_000), 90_000],
    ['a date of the asctime form', 'Sat Nov 21 12:01:30 2026', 90_000],
    ['a date of the RFC 850 form', 'Saturday, 21-Nov-26 12:01:30 GMT', 90_000],
    ['a date that has passed', date(-90_000), 0],
    ['ten years in seconds', '315360000', dayMs],
    ['ten years as a date', date(3650 * dayMs), dayMs],
    ['more digits than a number holds', '9'.repeat(400), dayMs],
    ['a negative number', '-5', null],
    ['a fraction', '1.5', null],
    ['junk', 'soon', null],
    ['junk after a weekday', 'Sat the first', null],
    ['two values', '5, 10', null],
    ['an ISO date', '2026-11-21T12:01:30Z', null],
    ['nothing', '', null],
    ['no header', null, null],
  ])('understands %s', (_, header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected)
  })
})
