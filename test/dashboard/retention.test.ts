import { describe, expect, it } from 'vitest'
import { insertGarment } from '../garments/review/complete-garment.ts'
import { newTenant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'
import { dayMs } from '../../src/time.ts'

async function newPage() {
  const { tenantId, merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  const save = async (days: string, confirm?: string) =>
    await raw(
      'POST',
      '/dashboard/tenant/retention',
      { Origin: 'http://service.test', ...session },
      new URLSearchParams({ retention_days: days, ...(confirm === undefined ? {} : { confirm }) }),
    )
  const shown = async () =>
    /name="retention_days"[^>]*value="([^"]*)"/.exec(await (await raw('GET', '/dashboard/tenant', session)).text())?.[1]
  return { save, shown, tenantId }
}

it.each(['toString', 'constructor', '__proto__', 'anything'])(
  'the page of the tenant shows no notice for the query ?done=%s',
  async (done) => {
    const session = await sessionOf((await newTenant()).merchant.id)
    const page = async (path: string) => await (await raw('GET', path, session)).text()
    // Every page has an empty status for announcements.
    const notice = 'class="toast" role="status"'
    expect(await page('/dashboard/tenant?done=retention-saved')).toContain(notice)
    expect(await page(`/dashboard/tenant?done=${done}`)).not.toContain(notice)
  },
)

describe("the tenant's own retention", () => {
  it('is saved, shown, and taken back by an empty field', async () => {
    const { save, shown } = await newPage()
    for (const days of ['30', '']) {
      const response = await save(days)
      expect([response.status, response.headers.get('location')]).toEqual([
        303,
        '/dashboard/tenant?done=retention-saved',
      ])
      expect(await shown()).toBe(days)
    }
  })

  it('asks before it removes results, and says how many', async () => {
    const { save, shown, tenantId } = await newPage()
    await insertGarment(tenantId, 'old', { createdAt: Date.now() - 36 * dayMs })
    await insertGarment(tenantId, 'new', { createdAt: Date.now() })
    const asked = await save('30')
    expect(asked.status).toBe(409)
    expect(await asked.text()).toContain('This removes one result permanently.')
    expect(await shown()).toBe('')
    expect((await save('40')).status).toBe(303)
    // A confirmation counts only for the period that was shown.
    expect((await save('30', '40')).status).toBe(409)
    expect((await save('30', '30')).status).toBe(303)
    expect(await shown()).toBe('30')
  })

  it('of a few days asks also where it removes nothing yet', async () => {
    const { save, shown } = await newPage()
    const asked = await save('1')
    expect(asked.status).toBe(409)
    expect(await asked.text()).toContain('Results will be kept for only a day.')
    expect(await shown()).toBe('')
    expect((await save('6')).status).toBe(409)
    expect((await save('7')).status).toBe(303)
    expect((await save('1', '1')).status).toBe(303)
    expect(await shown()).toBe('1')
  })

  it.each(['0', '-1', '1.5', 'x', '36501', '1.000', '1e2'])(
    'refuses %j, with the longest period that is possible',
    async (days) => {
      const { save, shown } = await newPage()
      const response = await save(days)
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('Must be a whole number of days from 1 to 36500, or empty.')
      expect(await shown()).toBe('')
    },
  )
})
