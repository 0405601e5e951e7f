import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, inject, it, vi } from 'vitest'
import { pauseImport, sweepImports } from '../../src/imports/wake-importer.ts'
import { bindings, everyDatabase, tagInBackground } from '../service.ts'
import { newImporter } from './tenant-imports.ts'

/** Images that do not exist, so that their garments fail at once. */
const csv = (count: number) =>
  `uuid,image_url\n${Array.from({ length: count }, (_, i) => `g${i},${inject('httpHost')}/files/no-such-image-${i}.jpg\n`).join('')}`

/** The tenants whose importers a sweep wakes. Other test files' tenants are among them, so it wakes none really. */
async function wokenBySweep() {
  const woken: string[] = []
  const IMPORTER = { getByName: (tenantId: string) => ({ wake: async () => void woken.push(tenantId) }) }
  for (const db of everyDatabase()) await sweepImports(db, { ...bindings, IMPORTER } as unknown as Env)
  return woken
}

describe('the importer of a tenant', () => {
  it('is woken by the sweep, carries an import to its end, and then sleeps', async () => {
    tagInBackground()
    const importer = await newImporter()
    await importer.store(csv(5), Date.now())
    const stub = bindings.IMPORTER.getByName(importer.tenantId)
    expect(await runDurableObjectAlarm(stub)).toBe(false)
    expect(await wokenBySweep()).toContain(importer.tenantId)
    await stub.wake(importer.tenantId)
    await vi.waitFor(
      async () => {
        const [row] = await importer.imports()
        if (row?.endedAt === null) throw new Error('It has not ended')
      },
      { timeout: 300_000, interval: 500 },
    )
    expect(await importer.imports()).toMatchObject([{ waiting: 0, tagging: 0, failed: 5 }])
    expect((await importer.lines())[0]).toMatchObject({ status: 'failed', problem: expect.stringContaining('404') })
    const sleeps = async () => {
      if (await runDurableObjectAlarm(stub)) throw new Error('It is still awake')
    }
    await vi.waitFor(sleeps, { timeout: 300_000 })
  })

  it('is left asleep by the sweep while its imports are paused, and woken by resuming them', async () => {
    const importer = await newImporter()
    const id = await importer.store(csv(5), Date.now())
    const pause = importer.db.$client.prepare('UPDATE imports SET paused = 1 WHERE tenant_id = ? AND id = ?')
    await pause.bind(importer.tenantId, id).run()
    expect(await wokenBySweep()).not.toContain(importer.tenantId)
    await pauseImport({ env: bindings, db: importer.db }, importer.tenantId, { id, paused: false })
    await vi.waitFor(async () => expect(await importer.imports()).toMatchObject([{ waiting: 0 }]), { timeout: 300_000 })
    expect(await wokenBySweep()).toContain(importer.tenantId)
  })
})
