import { describe, expect, it } from 'vitest'
import { call, newMerchant, newTenant } from '../service.ts'
import { operations, type Operation } from './document.ts'

/** Skips operator requests, because they would pause other tests. */
const withExample = operations.filter(({ hasJsonBody, scheme }) => hasJsonBody && scheme !== 'OperatorToken')

/** Replacements where an example must name an existing object. */
const withUuid = (path: string) =>
  ['/garment-tagging/garment', '/garment-tagging/garment/split', '/garment-tagging/pictures'].includes(path)
    ? `${path}?uuid=12345`
    : path

async function credentialsOf({ scheme, path }: Operation): Promise<Record<string, string>> {
  if (scheme === undefined) return {}
  if (path === '/merchant/tenant') return (await newMerchant()).bearer
  const { auth, merchant } = await newTenant()
  return scheme === 'ApiKey' ? auth : merchant.bearer
}

describe.each(withExample)('the example of $name', (operation) => {
  it('has nothing that the service refuses to read', async () => {
    const { method, path, bodyExample } = operation
    expect(bodyExample).toBeTypeOf('object')
    const { body } = await call(method, withUuid(path), await credentialsOf(operation), bodyExample)
    expect([body.code ?? '', body.error]).not.toEqual([
      expect.stringMatching(/^(invalid|malformed)_(body|query)$/),
      expect.anything(),
    ])
  })
})
