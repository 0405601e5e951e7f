import { expect, it } from 'vitest'
import { newMember, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const origin = { Origin: 'http://service.test' }

it('a member saves filters, opens them as chips and removes them, apart from other members', async () => {
  const { merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  const post = async (path: string, name: string) =>
    await raw('POST', path, { ...origin, ...session }, new URLSearchParams({ name }))
  const saved = await post('/dashboard/garments/saved?stage=listed&brand=A%26B', 'Listed A&B')
  expect([saved.status, saved.headers.get('location')]).toEqual([
    303,
    '/dashboard/garments?brand=A%26B&stage=listed&done=filter-saved',
  ])
  const page = async (query: string, as = session) => await (await raw('GET', `/dashboard/garments${query}`, as)).text()
  expect(await page('')).toMatch(/href="\/dashboard\/garments\?brand=A%26B&amp;stage=listed"[^>]*>Listed A&amp;B</)
  expect(await page('?stage=listed&brand=A%26B')).toContain('Remove this filter')
  expect(await page('?stage=sold')).toContain('Save this filter')
  const colleague = await newMember(merchant.id, 'reviewer')
  expect(await page('', await sessionOf(merchant.id, Date.now(), colleague.id))).not.toContain('Listed A')
  await post('/dashboard/garments/saved/remove?stage=listed&brand=A%26B', 'Listed A&B')
  expect(await page('')).not.toContain('Listed A')
})

it('ten filters can be saved, with names, and only of the list itself', async () => {
  const { merchant } = await newTenant()
  const headers = { ...origin, ...(await sessionOf(merchant.id)) }
  const save = async (query: string, name: string) =>
    (await raw('POST', `/dashboard/garments/saved${query}`, headers, new URLSearchParams({ name }))).status
  for (let i = 0; i < 10; i++) expect(await save(`?size=${i}`, `Size ${i}`)).toBe(303)
  expect(await save('?size=10', 'One more')).toBe(400)
  // The same name replaces its filter.
  expect(await save('?size=11', 'Size 3')).toBe(303)
  expect(await save('?size=1', ' ')).toBe(400)
  expect(await save('?unknown=1', 'Nothing')).toBe(400)
})
