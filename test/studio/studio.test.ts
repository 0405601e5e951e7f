import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/db/client.ts'
import { deleteStudio } from '../../src/studio/delete-studio.ts'
import { listStudios } from '../../src/studio/list-studios.ts'
import { maxStudios, putStudio } from '../../src/studio/put-studio.ts'
import { studioSchema } from '../../src/studio/fields.ts'
import { bindings, newTenant } from '../service.ts'

const db = openDatabase(bindings.DB)

describe('the studios of a tenant', () => {
  it('are created, changed, listed by name and removed', async () => {
    const { tenantId } = await newTenant()
    await putStudio(db, tenantId, { name: 'Paris', cm_per_pixel: 0.08 })
    await putStudio(db, tenantId, { name: 'Berlin', cm_per_pixel: 0.04 })
    await putStudio(db, tenantId, { name: 'Paris', cm_per_pixel: 0.05 })
    expect(await listStudios(db, tenantId)).toEqual([
      { name: 'Berlin', cm_per_pixel: 0.04 },
      { name: 'Paris', cm_per_pixel: 0.05 },
    ])
    await deleteStudio(db, tenantId, 'Paris')
    await expect(deleteStudio(db, tenantId, 'Paris')).rejects.toMatchObject({ status: 404 })
    expect(await listStudios(db, tenantId)).toEqual([{ name: 'Berlin', cm_per_pixel: 0.04 }])
  })

  it(`are at most ${maxStudios}, and existing ones can still be changed`, async () => {
    const { tenantId } = await newTenant()
    for (let i = 0; i < maxStudios; i++) await putStudio(db, tenantId, { name: `studio ${i}`, cm_per_pixel: 0.05 })
    await expect(putStudio(db, tenantId, { name: 'one more', cm_per_pixel: 0.05 })).rejects.toMatchObject({
      status: 409,
    })
    await putStudio(db, tenantId, { name: 'studio 7', cm_per_pixel: 0.06 })
    expect(await listStudios(db, tenantId)).toHaveLength(maxStudios)
  })

  it('are not visible to another tenant', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    await putStudio(db, one.tenantId, { name: 'Paris', cm_per_pixel: 0.05 })
    expect(await listStudios(db, other.tenantId)).toEqual([])
    await expect(deleteStudio(db, other.tenantId, 'Paris')).rejects.toMatchObject({ status: 404 })
  })

  it('are not stored for a deleted tenant', async () => {
    await expect(putStudio(db, 'gone', { name: 'Paris', cm_per_pixel: 0.05 })).rejects.toMatchObject({ status: 409 })
    expect(await listStudios(db, 'gone')).toEqual([])
  })

  it.each(['', '0', '-1', 'x', '11', 'Infinity', '0.00001'])('have no scale of %j', (scale) => {
    expect(studioSchema.safeParse({ name: 'Paris', cm_per_pixel: scale }).success).toBe(false)
  })
})
