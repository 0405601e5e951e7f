import { expect, it } from 'vitest'
import { newSecret, secretKey, secretProblem } from '../../../src/webhooks/endpoints/secret.ts'

it('a new secret is valid, has 32 bytes and differs each time', () => {
  const [one, other] = [newSecret(), newSecret()]
  expect([secretProblem(one), secretKey(one).length]).toEqual([null, 32])
  expect(one).not.toBe(other)
})

it.each([' ', 'v1,', '"', "'"])('a secret with %j before its prefix is refused with a sentence', (before) => {
  expect(secretProblem(`${before}${newSecret()}`)).toBe('must begin with "whsec_" as it is, or not contain it')
})

it.each(['\0', '\n', '\u007f'])(
  'a secret with the control character %j is refused, since a receiver would sign with another',
  (end) => {
    expect(secretProblem(`any text${end}`)).toBe('must not contain control characters')
  },
)

it('a secret whose prefix is in capitals is refused with a sentence', () => {
  expect(secretProblem(newSecret().replace('whsec_', 'WHSEC_'))).toMatch(/^must begin with/)
})
