import { expect, it } from 'vitest'
import { call, newTenant } from '../service.ts'

const upload = {
  uuid: 'g',
  image_url: 'http://127.0.0.1:9/shirt.jpg',
  attribute: { Brand: 'Ann', Size: 'M', Material: 'Cotton' },
}

it('a 409 says what differs from the stored garment, and which call helps', async () => {
  const { auth } = await newTenant()
  await call('POST', '/garment-tagging/upload', auth, upload)
  const image = await call('POST', '/garment-tagging/upload', auth, { ...upload, image_url: `${upload.image_url}?2` })
  expect([image.status, image.body.code]).toEqual([409, 'uuid_conflict'])
  expect(image.body.error).toEqual([
    'uuid: it was uploaded before with another image_url or attribute',
    'image_url: this uuid has the image "http://127.0.0.1:9/shirt.jpg"; PATCH /garment-tagging/garment?uuid= replaces images, ' +
      'or use another uuid',
  ])
  const attribute = { Brand: 'Bob', Material: 'Cotton', Colour: 'Red' }
  const { body } = await call('POST', '/garment-tagging/upload', auth, { ...upload, attribute })
  expect(body.error.slice(1)).toEqual([
    'attribute.Brand: this uuid has "Ann"; PATCH /garment-tagging/garment?uuid= changes it',
    'attribute.Size: this uuid has "M"; PATCH /garment-tagging/garment?uuid= changes it',
    'attribute.Colour: this uuid has none; PATCH /garment-tagging/garment?uuid= changes it',
  ])
})

it('a 409 shortens long values', async () => {
  const { auth } = await newTenant()
  const image_url = `${upload.image_url}?${'x'.repeat(1000)}`
  await call('POST', '/garment-tagging/upload', auth, { ...upload, image_url })
  const { body } = await call('POST', '/garment-tagging/upload', auth, upload)
  expect(body.error[1]?.length).toBeLessThan(220)
})
