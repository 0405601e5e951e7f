import { describe, expect, it } from 'vitest'
import { deleteStudio, listStudios, maxStudios, putStudio, studioSchema } from '../../src/garments/studios.ts'
import { databaseOf, newTenant, someone } from '../service.ts'

const made = { by: someone, at: Date.now() }

describe('the studios of a tenant', () => {
  it('are created, changed, listed by name and removed', async () => {
    const { tenantId } = await newTenant()
    await putStudio(databaseOf(tenantId), tenantId, { name: 'Paris', cm_per_pixel: 0.08 }, made)
    await putStudio(databaseOf(tenantId), tenantId, { name: 'Berlin', cm_per_pixel: 0.04 }, made)
    await putStudio(databaseOf(tenantId), tenantId, { name: 'Paris', cm_per_pixel: 0.05 }, made)
    expect(await listStudios(databaseOf(tenantId), tenantId)).toEqual([
      { name: 'Berlin', cm_per_pixel: 0.04 },
      { name: 'Paris', cm_per_pixel: 0.05 },
    ])
    await deleteStudio(databaseOf(tenantId), tenantId, 'Paris', made)
    await expect(deleteStudio(databaseOf(tenantId), tenantId, 'Paris', made)).rejects.toMatchObject({ status: 404 })
    expect(await listStudios(databaseOf(tenantId), tenantId)).toEqual([{ name: 'Berlin', cm_per_pixel: 0.04 }])
  })

  it(`are at most ${maxStudios}, and existing ones can still be changed`, async () => {
    const { tenantId } = await newTenant()
    for (let i = 0; i < maxStudios; i++)
      await putStudio(databaseOf(tenantId), tenantId, { name: `studio ${i}`, cm_per_pixel: 0.05 }, made)
    await expect(
      putStudio(databaseOf(tenantId), tenantId, { name: 'one more', cm_per_pixel: 0.05 }, made),
    ).rejects.toMatchObject({
      status: 409,
    })
    await putStudio(databaseOf(tenantId), tenantId, { name: 'studio 7', cm_per_pixel: 0.06 }, made)
    expect(await listStudios(databaseOf(tenantId), tenantId)).toHaveLength(maxStudios)
  })

  it('are not visible to another tenant', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    await putStudio(databaseOf(one.tenantId), one.tenantId, { name: 'Paris', cm_per_pixel: 0.05 }, made)
    expect(await listStudios(databaseOf(other.tenantId), other.tenantId)).toEqual([])
    await expect(deleteStudio(databaseOf(other.tenantId), other.tenantId, 'Paris', made)).rejects.toMatchObject({
      status: 404,
    })
  })

  it('are not stored for a deleted tenant', async () => {
    await expect(
      putStudio(databaseOf('gone'), 'gone', { name: 'Paris', cm_per_pixel: 0.05 }, made),
    ).rejects.toMatchObject({
      status: 409,
    })
    expect(await listStudios(databaseOf('gone'), 'gone')).toEqual([])
  })

  it.each(['', '0', '-1', 'x', '11', 'Infinity', '0.00001'])('have no scale of %j', (scale) => {
    expect(studioSchema.safeParse({ name: 'Paris', cm_per_pixel: scale }).success).toBe(false)
  })
})
