import { describe, expect, it } from 'vitest'
import { newTenant, raw } from '../service.ts'
import { sessionOf } from './session-of.ts'

async function newPage() {
  const session = await sessionOf((await newTenant()).merchant.id)
  const save = async (days: string) =>
    await raw(
      'POST',
      '/dashboard/tenant/retention',
      { Origin: 'http://service.test', ...session },
      new URLSearchParams({ retention_days: days }),
    )
  const shown = async () =>
    /name="retention_days"[^>]*value="([^"]*)"/.exec(await (await raw('GET', '/dashboard/tenant', session)).text())?.[1]
  return { save, shown }
}

it.each(['toString', 'constructor', '__proto__', 'anything'])('the address ?done=%s shows no notice', async (done) => {
  const session = await sessionOf((await newTenant()).merchant.id)
  const page = async (path: string) => await (await raw('GET', path, session)).text()
  expect(await page('/dashboard/tenant?done=retention-saved')).toContain('role="status"')
  expect(await page(`/dashboard/tenant?done=${done}`)).not.toContain('role="status"')
})

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

  it.each(['0', '-1', '1.5', 'x', '366'])('refuses %j, with the longest period that is possible', async (days) => {
    const { save, shown } = await newPage()
    const response = await save(days)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('Must be a whole number of days from 1 to 365, or empty.')
    expect(await shown()).toBe('')
  })
})
