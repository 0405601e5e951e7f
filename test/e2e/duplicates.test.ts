import { readFileSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { encodeJpeg } from '../../src/vision/image/encode-jpeg.ts'
import { shrink } from '../../src/vision/image/shrink.ts'
import { makeFlatLay } from '../../training/flat-lay/make-flat-lay.ts'
import { useHttpHost } from './support/use-http-host.ts'
import { newTenant } from './command-line/run-command.ts'

const serviceUrl = inject('sharedServiceUrl')
const host = await useHttpHost()

const sample = (name: string) => readFileSync(`src/dashboard/public/samples/${name}`)

it('a picture that is uploaded again, smaller and compressed more, names the first one, and no other does', async () => {
  const { client } = await newTenant(serviceUrl, 'Duplicates')
  await client.putWebhookConfig({ enabled: true, url: `${host.origin}/to/duplicates` })
  const { picture } = makeFlatLay(21, { width: 900, height: 1200 })
  const files = {
    first: encodeJpeg(picture),
    shirt: sample('shirt.jpg'),
    jeans: sample('jeans.jpg'),
    again: encodeJpeg(shrink(picture, 700), 50),
  }
  const named: Record<string, string[]> = {}
  for (const [uuid, file] of Object.entries(files)) {
    const attribute = { Title: `Number ${uuid}` }
    await client.uploadFile({ uuid, image: new Blob([Uint8Array.from(file)]), attribute })
    named[uuid] = (await client.wait(uuid)).notes.filter((note) => note.includes('the garment "'))
  }
  const note = 'The image is the same as that of the garment "first" (Number first), or nearly the same.'
  expect(named).toEqual({ first: [], shirt: [], jeans: [], again: [note] })
  await expect.poll(() => host.received('duplicates').length).toBe(4)
  const events = host.received('duplicates').map(({ body }) => JSON.parse(body) as { uuid: string; notes: string[] })
  expect(events.filter(({ notes }) => notes.includes(note)).map(({ uuid }) => uuid)).toEqual(['again'])
  await client.delete('first')
  await expect.poll(async () => (await client.query('again')).notes.includes(note)).toBe(false)
})
