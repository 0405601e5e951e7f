import { expect, it } from 'vitest'
import { reserveNumbers } from '../../src/garments/reserve-numbers.ts'
import { storeFile } from '../../src/imports/store-file.ts'
import { bindings } from '../service.ts'
import { formFile } from '../support/form-file.ts'
import { newImporter, settings } from './tenant-imports.ts'

const pictureOf = (uuid: string) => `https://b.example/${uuid}.jpg`

async function newShop() {
  const importer = await newImporter()
  await reserveNumbers(importer.db, importer.tenantId, 5)
  return {
    ...importer,
    async outcomes() {
      await importer.run()
      const garments = await importer.garments()
      return (await importer.lines()).map(({ uuid, status, problem }) => [
        uuid,
        problem || status,
        garments.find((each) => each.uuid === uuid)?.number,
      ])
    },
  }
}

it('imported lines take the reserved numbers that they name, once, and others take the next ones', async () => {
  const shop = await newShop()
  await shop.store(
    `uuid,number,image_url\na,G-3,${pictureOf('a')}\nb,,${pictureOf('b')}\nc,5,${pictureOf('c')}\nd,3,${pictureOf('d')}\ne,99,${pictureOf('e')}\nf,x,${pictureOf('f')}\n`,
  )
  expect(await shop.outcomes()).toEqual([
    ['a', 'tagging', 3],
    ['b', 'tagging', 6],
    ['c', 'tagging', 5],
    ['d', expect.stringContaining('number: 3 is not reserved'), undefined],
    ['e', expect.stringContaining('number: 99 is not reserved'), undefined],
    ['f', 'number: must be a stock number such as G-1042', undefined],
  ])
})

it('a line of JSON and an SKU on a blank label name a reserved number, too', async () => {
  const shop = await newShop()
  const json = JSON.stringify({ uuid: 'a', image_url: pictureOf('a'), number: 2 })
  await shop.store(json, 1000, { format: 'json lines' })
  await shop.store(`SKU,Name,Images\nG-4,Shirt,${pictureOf('b')}\n`, 1001, { asks: true })
  expect(new Map((await shop.outcomes()).map(([uuid, ...outcome]) => [uuid, outcome]))).toEqual(
    new Map([
      ['a', ['tagging', 2]],
      ['G-4', ['tagging', 4]],
    ]),
  )
})

it('a file that is sent twice with a reserved number is one garment', async () => {
  const shop = await newShop()
  const { db, tenantId } = shop
  const importId = crypto.randomUUID()
  for (let i = 0; i < 2; i++) {
    const file = await formFile([new Uint8Array([0xff, 0xd8, 0xff, 1])], 1000)
    const upload = { importId, uuid: 'a', attribute: {}, number: 2, file, origin: 'https://s.example' }
    await storeFile({ db, pictures: bindings.PICTURES, settings }, tenantId, upload, 1000)
  }
  expect(await shop.outcomes()).toEqual([
    ['a', 'tagging', 2],
    ['a', 'unchanged', 2],
  ])
})
