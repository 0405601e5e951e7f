import { expect, it } from 'vitest'
import { fileForm } from '../../../src/client/garment-methods.ts'
import { readPictures } from '../../../src/dashboard/garments/garment-pictures.tsx'
import { getGarment } from '../../../src/garments/garment.ts'
import { nameOf, parsePictures } from '../../../src/garments/pictures/garment-picture.ts'
import { fileOf, storedPicture } from '../../support/stored-garment/stored-pictures.ts'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { databaseOf, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const urls = ['front', 'back', 'label', 'flaw'].map((name) => `https://a.example/${name}.jpg`)
const images = urls.map((url, place) => storedPicture({ url, id: String(place) }))
const field = (name: string, place: number) => `${name}.${place}`

it.each([
  ['forwards', { 3: '1' }, [3, 0, 1, 2]],
  ['backwards', { 0: '3' }, [1, 2, 0, 3]],
  ['to another place each', { 0: '4', 1: '3', 2: '2', 3: '1' }, [3, 2, 1, 0]],
  ['nowhere by what is no number', { 2: 'x' }, [0, 1, 2, 3]],
])('pictures are moved %s', (_, places, expected) => {
  const values = Object.fromEntries(
    urls.map((_, i) => [field('place', i), (places as Record<number, string>)[i] ?? String(i + 1)]),
  )
  expect(readPictures(values)(images).map(({ url }) => urls.indexOf(url ?? ''))).toEqual(expected)
})

it('a picture that was added meanwhile stays, as it is', () => {
  const values = { [field('place', 0)]: '1', [field('kind', 0)]: 'front', [field('remove', 1)]: 'yes' }
  const added = [...images.slice(0, 2), storedPicture({ url: urls[2] ?? '', kind: 'label' })]
  expect(readPictures(values)(added)).toEqual([{ ...images[0], kind: 'front' }, added[2]])
})

/** Creates a complete garment with two pictures. */
async function newPage() {
  const { tenantId, merchant } = await newTenant()
  await insertGarment(tenantId, 'a', { pictures: images.slice(0, 2) })
  const session = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  return {
    session,
    page: async () => await (await raw('GET', '/dashboard/garment?uuid=a', session)).text(),
    post: async (path: string, body: BodyInit, headers = {}) =>
      await raw('POST', `/dashboard/garment/pictures${path}?uuid=a`, { ...session, ...headers }, body),
    tenantId,
    send: async (path: string, fields: Record<string, string>) =>
      await raw('POST', path, session, new URLSearchParams(fields)),
    get: async (path: string) => await raw('GET', path, session),
    async stored() {
      const row = await getGarment(databaseOf(tenantId), tenantId, 'a')
      return { status: row.status, images: parsePictures(row) }
    },
  }
}

it('a label is shown small and rotated, though it has no copy', async () => {
  const { tenantId, get } = await newPage()
  const label = { file: fileOf('f'), kind: 'label', role: 'listed', width: 900, height: 600, rotation: 90 } as const
  await insertGarment(tenantId, 'b', { pictures: [{}, label] })
  const page = await (await get('/dashboard/garment?uuid=b')).text()
  expect(page).toContain(
    `<img src="/garment-tagging/upright/${tenantId}/f.jpg?rotated=90&amp;size=thumbnail" alt="Picture 2: Label"`,
  )
  expect(page.match(/data-picture=/g)).toHaveLength(1)
})

it("a garment's page orders its pictures, says what they show and removes some, but not all", async () => {
  const { page, post, stored } = await newPage()
  expect(await page()).toContain(`name="${field('kind', 1)}"`)
  const values = { [field('place', 1)]: '1', [field('kind', 1)]: 'back', [field('remove', 0)]: 'yes' }
  const saved = await post('', new URLSearchParams(values))
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/dashboard/garment?uuid=a&done=pictures'])
  expect(await stored()).toMatchObject({ images: [{ url: urls[1], kind: 'back' }] })
  const none = await post('', new URLSearchParams({ [field('remove', 1)]: 'yes' }))
  expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('keep at least one picture')])
})

it("a picture's menu rotates it, and shows the photograph instead of the cut-out", async () => {
  const { post, send, stored, tenantId, page } = await newPage()
  const rotated = await post('', new URLSearchParams({ [field('rotation', 1)]: '90' }))
  expect([rotated.status, (await stored()).images.map(({ rotation }) => rotation)]).toEqual([303, [0, 90]])
  expect(await page()).toContain('Rotate left')
  const [first] = (await stored()).images
  const query = async () => {
    const row = await getGarment(databaseOf(tenantId), tenantId, 'a')
    return parsePictures(row).map(({ cutoutOff }) => cutoutOff)
  }
  const off = await send('/dashboard/garment/pictures/cutout?uuid=a', { picture: first?.id ?? '', cutout: 'off' })
  expect([off.status, await query()]).toEqual([303, [true, false]])
  await send('/dashboard/garment/pictures/cutout?uuid=a', { picture: first?.id ?? '', cutout: 'on' })
  expect(await query()).toEqual([false, false])
})

it('some pictures become a garment of their own, and two garments become one, of which the older is proposed', async () => {
  const { send, get, tenantId } = await newPage()
  const none = await send('/dashboard/garment/split?uuid=a', {})
  expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('Select at least one picture')])
  const split = await send('/dashboard/garment/split?uuid=a', { 'picture.1': 'yes' })
  const [, uuid = ''] = /uuid=([^&]+)&done=split$/.exec(split.headers.get('location') ?? '') ?? []
  const idsOf = async (of: string) =>
    parsePictures(await getGarment(databaseOf(tenantId), tenantId, of)).map(({ id }) => id)
  expect([split.status, await idsOf('a'), await idsOf(uuid)]).toEqual([303, ['0'], ['1']])

  await insertGarment(tenantId, 'b', {
    number: 77,
    createdAt: 1,
    pictures: [storedPicture({ id: 'b1', url: urls[2] ?? '' })],
  })
  await insertGarment(tenantId, 'c', {
    number: 78,
    createdAt: 2,
    pictures: [storedPicture({ id: 'c1', url: urls[3] ?? '' })],
  })
  const page = await (await get('/dashboard/garment/merge?uuid=c&with=g-77')).text()
  expect(page).toMatch(/value="b" checked/)
  expect((await get('/dashboard/garment/merge?uuid=c&with=G-78')).status).toBe(400)
  expect((await get('/dashboard/garment/merge?uuid=c&with=x')).status).toBe(400)
  const merged = await send('/dashboard/garment/merge', { uuid: 'b', 'select.c': 'yes', 'select.b': 'yes' })
  expect([merged.status, merged.headers.get('location')]).toEqual([303, '/dashboard/garment?uuid=b&done=merged'])
  expect(await idsOf('b')).toEqual(['b1', 'c1'])
  expect((await get('/dashboard/garment?uuid=c')).status).toBe(404)
})

it('garments that are selected in the list are merged into the oldest one', async () => {
  const { get, send, tenantId } = await newPage()
  const idsOf = async (of: string) =>
    parsePictures(await getGarment(databaseOf(tenantId), tenantId, of)).map(({ id }) => id)
  for (const [uuid, createdAt] of Object.entries({ oldest: 1, second: 2, third: 3 })) {
    const pictures = [storedPicture({ id: `${uuid}1`, url: urls[createdAt] ?? '' })]
    await insertGarment(tenantId, uuid, { createdAt, pictures })
  }
  const select = (...uuids: readonly string[]) => Object.fromEntries(uuids.map((uuid) => [`select.${uuid}`, 'yes']))
  expect((await send('/dashboard/garments/merge', select('third'))).status).toBe(400)
  const chosen = await send('/dashboard/garments/merge', select('third', 'oldest', 'second'))
  const path = chosen.headers.get('location') ?? ''
  expect([chosen.status, path]).toEqual([303, '/dashboard/garment/merge?uuid=third&uuid=oldest&uuid=second'])
  const page = await (await get(path)).text()
  expect(page).toContain('Merge 3 garments')
  expect(page).toMatch(/value="oldest" checked/)
  expect(page).not.toMatch(/value="(second|third)" checked/)
  await send('/dashboard/garment/merge', { uuid: 'oldest', ...select('oldest', 'second', 'third') })
  expect(await idsOf('oldest')).toEqual(['oldest1', 'second1', 'third1'])
  for (const uuid of ['second', 'third']) expect((await get(`/dashboard/garment?uuid=${uuid}`)).status).toBe(404)
})

it('files are added as pictures, and what is wrong with one is said', async () => {
  const { post, stored } = await newPage()
  const form = (...contents: readonly string[]) =>
    fileForm(
      {},
      contents.map((content, i) => ({ image: new Blob([content]), name: `${i}.webp` })),
    )
  const send = async (sent: ReturnType<typeof fileForm>) =>
    await post('/add', await sent.body.arrayBuffer(), { 'Content-Type': sent.type, Accept: 'application/json' })
  const webp = 'RIFF....WEBPVP8 '
  const refused = await send(form(webp, 'text'))
  expect([refused.status, await refused.json()]).toEqual([
    415,
    { problems: ['image 2: must be a JPEG, PNG or WebP file'] },
  ])
  const added = await send(form(webp, `${webp}2`))
  expect([added.status, await added.json()]).toEqual([200, { uuid: 'a' }])
  const names = (await stored()).images.map(nameOf)
  expect(names).toEqual([...urls.slice(0, 2), '0.webp', '1.webp'])
  const full = await send(form(...Array.from({ length: 5 }, (_, i) => `${webp}x${i}`)))
  expect([full.status, await full.json()]).toEqual([
    400,
    { problems: [expect.stringMatching(/^images: must be at most 8/)] },
  ])
})
