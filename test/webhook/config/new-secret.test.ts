import { expect, it } from 'vitest'
import { newSecret } from '../../../src/webhook/config/new-secret.ts'
import { secretKey, secretProblem } from '../../../src/webhook/config/secret.ts'

it('a new secret is valid, has 32 bytes and differs each time', () => {
  const [one, other] = [newSecret(), newSecret()]
  expect([secretProblem(one), secretKey(one).length]).toEqual([null, 32])
  expect(one).not.toBe(other)
})
