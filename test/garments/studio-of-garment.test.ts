import { expect, it } from 'vitest'
import { studios } from '../../src/platform/db/schema.ts'
import { newTenant } from '../service.ts'
import { db, newScene, tagged } from '../tagging/scene.ts'

it.each([
  ['Köln 1', 0.05],
  ['  KÖLN 1 ', 0.05],
  ['Köln 2', undefined],
])("the studio %j is found in any case and with white space around, another tenant's is not", async (name, scale) => {
  const scene = await newScene('https://a.example/', { Studio: name })
  const other = await newTenant()
  await db.insert(studios).values([
    { tenantId: scene.tenantId, name: 'Köln 1', cmPerPixel: 0.05 },
    { tenantId: other.tenantId, name: 'Köln 2', cmPerPixel: 0.07 },
  ])
  const scales: unknown[] = []
  await scene.tag({ tagPicture: async (_, hints) => (scales.push(hints.cmPerPixel), tagged) })
  expect(scales).toEqual([scale])
})
