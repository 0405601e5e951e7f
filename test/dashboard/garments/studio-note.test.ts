import { expect, it } from 'vitest'
import { putStudio } from '../../../src/studio/put-studio.ts'
import { insertGarment } from '../../review/complete-garment.ts'
import { databaseOf, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

it.each([
  [{ Studio: 'Pariss' }, true],
  [{ Studio: ' paris' }, false],
  [{ Brand: 'Ann' }, false],
])("a garment's page names a studio that does not exist: %j %s", async (attribute, isNoted) => {
  const { tenantId, merchant } = await newTenant()
  await putStudio(databaseOf(tenantId), tenantId, { name: 'Paris', cm_per_pixel: 0.05 })
  await insertGarment(tenantId, 'g', { attribute: JSON.stringify(attribute) })
  const response = await raw('GET', '/dashboard/garment?uuid=g', await sessionOf(merchant.id))
  expect(response.status).toBe(200)
  expect((await response.text()).includes('There is no studio “Pariss”')).toBe(isNoted)
})
