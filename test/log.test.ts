import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { app } from '../src/app.ts'
import { log } from '../src/log.ts'
import { bindings, newTenant, password, replaceDatabases } from './service.ts'
import { wrapDatabase } from './support/wrap-database.ts'

/** All lines that are logged while `action` runs. */
async function logged(action: () => unknown): Promise<string[]> {
  const lines: string[] = []
  const levels = ['debug', 'log', 'info', 'warn', 'error'] as const
  const spies = levels.map((level) =>
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void lines.push(parts.map(String).join(' '))),
  )
  try {
    await action()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return lines
}

describe('the log', () => {
  it('has the cause of a database error and its statement, but not its parameters', async () => {
    const cause = new Error('D1_ERROR: overloaded')
    const error = new Error('Failed query: insert into keys values (?, ?)\nparams: a,the hash', { cause })
    const [line] = await logged(() => log('error', 'request failed', { error }))
    expect(line).toContain('insert into keys values (?, ?)')
    expect(line).toContain('D1_ERROR: overloaded')
    expect(line).not.toContain('the hash')
  })
})

describe('a database that fails during a request', () => {
  let tenant: Awaited<ReturnType<typeof newTenant>>
  beforeAll(async () => {
    tenant = await newTenant()
  })

  const databases = replaceDatabases((database) =>
    wrapDatabase(database, () => Promise.reject(new Error('D1_ERROR: the disk is full'))),
  )
  const secret = 'never-to-be-logged'
  const imageUrl = `https://a.example/x.jpg?signature=${secret}`
  const webhook = { enabled: true, url: 'https://r.example/', secret, headers: { 'X-Token': secret } }

  it.each([
    ['POST', '/merchant/sign-up', { email: 'log@example.com', password: secret, name: 'Ann' }],
    ['POST', '/merchant/sign-in', { email: 'log@example.com', password: secret }],
    ['POST', '/merchant/tenant', { name: 'Shop', domain: 'log.example' }],
    ['GET', '/merchant/tenant', undefined],
    ['POST', '/merchant/tenant/api-key', { name: 'test' }],
    ['PUT', '/merchant/password', { password, new_password: `${secret} ${secret}` }],
    ['POST', '/garment-tagging/upload', { uuid: 'g', image_url: imageUrl, attribute: { Token: secret } }],
    ['GET', '/garment-tagging/query?uuid=g', undefined],
    ['PUT', '/garment-tagging/webhook/config', webhook],
    ['GET', '/garment-tagging/webhook/delivery-status?uuid=g', undefined],
    ['POST', '/garment-tagging/webhook/redeliver', { uuid: 'g' }],
  ])('%s %s reveals no secret, to the client or in the log', async (method, path, body) => {
    const answers: Response[] = []
    const lines = await logged(async () => {
      const ctx = createExecutionContext()
      const init = {
        method,
        headers: { ...tenant.auth, ...tenant.merchant.bearer, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }
      answers.push(await app.fetch(new Request(`http://s.test${path}`, init), { ...bindings, ...databases }, ctx))
      await waitOnExecutionContext(ctx)
    })
    const all = `${lines.join('\n')}\n${await answers[0]?.text()}`
    expect(answers[0]?.status).toBe(500)
    expect(all).toContain('the disk is full')
    for (const text of [secret, password, tenant.apiKey, tenant.merchant.bearer.Authorization])
      expect(all).not.toContain(text)
    // Hashes of keys and passwords are long runs of hex or base64; ids are shorter or hold dashes.
    expect(all).not.toMatch(/[A-Za-z0-9+/]{40,}/)
  })
})
