import { describe, expect, it } from 'vitest'
import { emailKeyOf } from '../../src/accounts/email.ts'
import { call, password } from '../service.ts'

describe('an email', () => {
  it.each([
    ['Ann@Example.com', 'ann@example.com'],
    ['a&b@shop.example', 'a&b@shop.example'],
    ['sales/eu@shop.example', 'sales/eu@shop.example'],
    ["o'neil+x=1{y}|z~!#$%*?^_`@shop.example", "o'neil+x=1{y}|z~!#$%*?^_`@shop.example"],
    ['ann@Bücher.example', 'ann@xn--bcher-kva.example'],
    ['ann@例え.テスト', 'ann@xn--r8jz45g.xn--zckzah'],
  ])('%s is compared as %s', (email, key) => {
    expect(emailKeyOf(email)).toBe(key)
  })

  it.each([
    'ann',
    '@shop.example',
    'ann@',
    'ann@localhost',
    '.ann@shop.example',
    'ann.@shop.example',
    'an..n@shop.example',
    'a b@shop.example',
    '"ann"@shop.example',
    'ann@shop..example',
    'ann@-shop.example',
    'ann@shop.example/path',
    'ann@shop.example:80',
    'ann@bob@shop.example',
    'ann@192.0.2.1',
    'ann@[192.0.2.1]',
    `${'a'.repeat(65)}@shop.example`,
  ])('%s is none', (email) => {
    expect(emailKeyOf(email)).toBe(null)
  })
})

it('an internationalised email signs up as given, is taken in its other form, and signs in by either', async () => {
  const [given, ascii] = ['Sales/EU@Bücher-Laden.example', 'sales/eu@xn--bcher-laden-thb.example']
  const fields = { password, name: 'Ann' }
  const created = await call('POST', '/merchant/sign-up', {}, { ...fields, email: ` ${given} ` })
  expect([created.status, created.body.data]).toMatchObject([200, { email: given }])
  const again = await call('POST', '/merchant/sign-up', {}, { ...fields, email: ascii })
  expect([again.status, again.body.code]).toEqual([400, 'email_taken'])
  for (const email of [given, ascii]) {
    const signedIn = await call('POST', '/merchant/sign-in', {}, { email, password })
    expect([signedIn.status, signedIn.body.data]).toMatchObject([200, { user: { email: given } }])
  }
})
