import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { dayMs } from '../../src/time.ts'
import { bindings, call } from '../service.ts'

it('while tests run, no sweep begins that none of them calls', async () => {
  expect((await call('GET', '/health')).status).toBe(200)
  const cron = bindings.LOCAL_CRON.getByName('cron')
  await cron.start()
  const nextAt = await runInDurableObject(cron, async (_, { storage }) => await storage.getAlarm())
  expect(nextAt).toBeGreaterThan(Date.now() + dayMs)
})
