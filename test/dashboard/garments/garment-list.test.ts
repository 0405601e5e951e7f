import { describe, expect, it } from 'vitest'
import { listGarments } from '../../../src/garment/list/list-garments.ts'
import { correctGarment } from '../../../src/correction/correct-garment.ts'
import { deps, insertGarment, machineTag } from '../../review/complete-garment.ts'
import { databaseOf, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

describe('the list of garments', () => {
  it('shows colour, brand and doubt, as they are after correction', async () => {
    const { tenantId, merchant } = await newTenant()
    await insertGarment(tenantId, 'g', { tag: { ...machineTag, Brand: '<COS>' } })
    const patch = { tag: { Colour: 'Black' }, measurements: {} }
    await correctGarment(
      { ...deps, db: databaseOf(tenantId) },
      tenantId,
      { uuid: 'g', patch, by: { kind: 'session', id: 's' } },
      3000,
    )
    const page = await (await raw('GET', '/dashboard/garments', await sessionOf(merchant.id))).text()
    expect(page).toContain('<td data-label="Colour">Black</td>')
    expect(page).toContain('&lt;COS&gt;')
    expect(page).toContain('<td data-label="Doubt">slight</td>')
  })

  it('finds a uuid in upper and lower case, page by page', async () => {
    const { tenantId } = await newTenant()
    for (const uuid of ['IMG_1', 'IMG_2', 'img_3', 'imx', 'Img_4']) await insertGarment(tenantId, uuid)
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await listGarments(databaseOf(tenantId), tenantId, { search: 'img_', limit: 2, cursor })
      found.push(...page.garments.map(({ uuid }) => uuid))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(found).toEqual(['IMG_1', 'IMG_2', 'img_3'])
    const typed = await listGarments(databaseOf(tenantId), tenantId, { search: 'Img_', limit: 9 })
    expect(typed.garments.map(({ uuid }) => uuid)).toEqual(['IMG_1', 'IMG_2', 'Img_4', 'img_3'])
  })
})

it("a garment's page leads to the complete garments that were uploaded before and after it", async () => {
  const { tenantId, merchant } = await newTenant()
  const session = await sessionOf(merchant.id)
  for (const [index, uuid] of ['a', 'b', 'c'].entries())
    await insertGarment(tenantId, uuid, { createdAt: 1000 + index })
  await insertGarment(tenantId, 'b2', { createdAt: 1001, status: 'failed', tag: null, measurements: null })
  const links = async (uuid: string) => {
    const page = await (await raw('GET', `/dashboard/garment?uuid=${uuid}`, session)).text()
    return ['prev', 'next'].map((rel) => new RegExp(`uuid=(\\w+)" rel="${rel}"`).exec(page)?.[1] ?? null)
  }
  expect(await links('a')).toEqual(['b', null])
  expect(await links('b')).toEqual(['c', 'a'])
  expect(await links('b2')).toEqual(['c', 'b'])
  expect(await links('c')).toEqual([null, 'b'])
})
