import { insertPictures, storedPicture } from '../support/stored-garment/stored-pictures.ts'
import { createExecutionContext } from 'cloudflare:test'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { storedResult } from '../support/stored-result.ts'
import { countDatabase } from '../support/count-database.ts'
import { bindings, databaseOf, newTenant, replaceDatabases } from '../service.ts'
import { insertGarments } from '../support/stored-garment/insert-garments.ts'

/** The bindings, with every call that leaves the Worker counted, and the rows that the database read. */
function counted() {
  const calls: string[] = []
  const counts = { statements: 0, rowsRead: 0, rowsWritten: 0 }
  const databases = replaceDatabases((database) => countDatabase(database, () => calls.push('D1'), counts).DB)
  const GATE = {
    getByName: (name: string) => ({
      enter: (...args: [string, string]) => (calls.push('gate'), bindings.GATE.getByName(name).enter(...args)),
    }),
  }
  const TAGGING_QUEUE = { send: async () => void calls.push('queue') }
  const refused = (name: string) =>
    new Proxy(
      {},
      {
        get: () => {
          throw new Error(`${name} was used`)
        },
      },
    )
  const others = {
    PICTURES: refused('PICTURES'),
    WEBHOOK_QUEUE: refused('WEBHOOK_QUEUE'),
    THROTTLE: refused('THROTTLE'),
  }
  const env = { ...bindings, ...others, ...databases, GATE, TAGGING_QUEUE } as unknown as Env
  return { env, calls, counts }
}

const garmentCount = 20_000

describe.each([10, garmentCount])('with %i garments in the table', (count) => {
  let tenant: Awaited<ReturnType<typeof newTenant>>

  beforeAll(async () => {
    tenant = await newTenant()
    const result = storedResult()
    await insertGarments(databaseOf(tenant.tenantId), count, () => ({ tenantId: tenant.tenantId, result }))
    const picture = storedPicture({ url: 'https://a.example/' })
    await insertPictures(databaseOf(tenant.tenantId), tenant.tenantId, 'g7', [picture])
    // The gate reads the keys once and keeps them; what is counted below is every later request.
    await bindings.GATE.getByName(tenant.domain).enter(tenant.domain, '')
  })

  it('a query makes one gate call and one database round trip, and reads at most 3 rows', async () => {
    const { env, calls, counts } = counted()
    const request = new Request('http://s.test/garment-tagging/query?uuid=g7', { headers: tenant.auth })
    const response = await app.fetch(request, env, createExecutionContext())
    expect(response.status).toBe(200)
    expect(calls).toEqual(['gate', 'D1'])
    // The garment, and its picture with an index entry.
    expect(counts.rowsRead).toBeLessThanOrEqual(3)
  })

  // Whether the database is nearly full is a row that only what is stored needs.
  it.each([
    ['new', 8],
    ['g7', 9],
  ])('an upload of %s adds at most one queue send, and reads at most %i rows', async (uuid, rows) => {
    const { env, calls, counts } = counted()
    const request = new Request('http://s.test/garment-tagging/upload', {
      method: 'POST',
      headers: { ...tenant.auth, 'Content-Type': 'application/json' },
      body: JSON.stringify({ uuid, image_url: 'https://a.example/' }),
    })
    const response = await app.fetch(request, env, createExecutionContext())
    expect(response.status).toBe(200)
    expect(calls).toEqual(uuid === 'new' ? ['gate', 'D1', 'queue'] : ['gate', 'D1'])
    expect(counts.rowsRead).toBeLessThanOrEqual(rows)
  })
})
