import { expect, it } from 'vitest'
import { putStudio } from '../../../src/garments/studios.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { databaseOf, newTenant, raw, someone } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const made = { by: someone, at: Date.now() }

it.each([
  [{ Studio: 'Pariss' }, true],
  [{ Studio: ' paris' }, false],
  [{ Brand: 'Ann' }, false],
])("a garment's page names a studio that does not exist: %j %s", async (attribute, isNoted) => {
  const { tenantId, merchant } = await newTenant()
  await putStudio(databaseOf(tenantId), tenantId, { name: 'Paris', cm_per_pixel: 0.05 }, made)
  await insertGarment(tenantId, 'g', { attribute: JSON.stringify(attribute) })
  const response = await raw('GET', '/dashboard/garment?uuid=g', await sessionOf(merchant.id))
  expect(response.status).toBe(200)
  expect((await response.text()).includes('There is no studio “Pariss”')).toBe(isNoted)
})
