import { notProcessed } from '../../../src/garments/failure.ts'
import { copyKey, cutoutKey, keyOfAnnotated, keyOfCutout } from '../../../src/garments/pictures/stored-copy.ts'
import { reserveNumbers } from '../../../src/garments/reserve-numbers.ts'
import { fileKey } from '../../../src/garments/pictures/uploaded-file.ts'
import { inject } from 'vitest'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { bindings, call, databaseOf, newTenant, replaceDatabases } from '../../service.ts'
import { wrapDatabase } from '../../support/wrap-database.ts'
import { storedCopy } from '../../support/picture-copy.ts'
import { scenario, type RequestParts, type Scenario } from '../exchange.ts'

const upload = { uuid: 'mine', image_url: `${inject('httpHost')}/files/none`, attribute: { Brand: 'Ann' } }
const query = '/garment-tagging/query'
const garment = '/garment-tagging/garment'
const pictures = '/garment-tagging/pictures'
const original = 'GET /garment-tagging/original/{tenantId}/{fileId}'
const annotated = 'GET /garment-tagging/annotated/{tenantId}/{pictureId}'
const thumbnail = `${annotated}/thumbnail`
const copy = 'GET /garment-tagging/copy/{tenantId}/{pictureId}'
const upright = 'GET /garment-tagging/upright/{tenantId}/{fileId}'
const cutout = 'GET /garment-tagging/cutout/{tenantId}/{pictureId}'

/** Creates a tenant with a garment `mine`, which is complete unless `change` says otherwise. */
async function garmentOwner(changes: Parameters<typeof insertGarment>[2] = {}) {
  const tenant = await newTenant()
  await insertGarment(tenant.tenantId, 'mine', changes)
  return tenant
}

const onGarment =
  (path: string, rest: RequestParts = {}, changes: Parameters<typeof insertGarment>[2] = {}) =>
  async (): Promise<RequestParts> => ({ path, headers: (await garmentOwner(changes)).auth, ...rest })

/** Simulates somebody else who changes the tenant's garments before each write. */
const changing = (tenantId: string) =>
  replaceDatabases((database) =>
    wrapDatabase(database, async (run) => {
      const change = database.prepare('UPDATE garments SET revision = ? WHERE tenant_id = ?')
      await change.bind(crypto.randomUUID(), tenantId).run()
      return await run()
    }),
  )

/** Adds a picture to a garment whose tenant has another garment waiting. */
const addPicture =
  (rest: RequestParts = {}, texts = 0) =>
  async (): Promise<RequestParts> => {
    const { tenantId, auth } = await newTenant()
    await call('POST', '/garment-tagging/upload', auth, { ...upload, uuid: 'waiting' })
    await insertGarment(tenantId, 'mine')
    const { $client } = databaseOf(tenantId)
    await $client
      .prepare('UPDATE tenant_counters SET files = 1, max_files = 1, row_bytes = ? WHERE tenant_id = ?')
      .bind(texts, tenantId)
      .run()
    const { headers, env, ...others } = rest
    return {
      path: `${pictures}?uuid=mine`,
      headers: { ...auth, ...headers },
      body: { url: 'https://a.example/label.jpg', kind: 'label' },
      env: { ...env, ...(rest.env === undefined && texts === 0 ? changing(tenantId) : {}) },
      ...others,
    }
  }

const form = { 'Content-Type': 'multipart/form-data; boundary=b' }
const file =
  '--b\r\nContent-Disposition: form-data; name="image"; filename="a.webp"\r\n\r\nRIFF....WEBPVP8 \r\n--b--\r\n'

const unfinished = { status: 'queuing', result: null, endedAt: null } as const
const failed = { ...unfinished, status: 'failed', failure: notProcessed } as const

/** Stores a picture under the key for the name `p` in its URL. */
async function picture(name: string, keyOf: (tenantId: string, name: string) => string) {
  const { tenantId } = await newTenant()
  const options = { httpMetadata: { contentType: 'image/jpeg' } }
  const { httpEtag } = await bindings.PICTURES.put(keyOf(tenantId, 'p'), storedCopy(), options)
  return { path: `/garment-tagging/${name}/${tenantId}/p`, etag: httpEtag }
}

const twoPictures = {
  pictures: [
    { id: 'a', url: 'https://a.example/a.jpg' },
    { id: 'b', url: 'https://a.example/b.jpg' },
  ],
}
const splitOf = { body: { uuid: 'new', images: ['b'] } }
const split = '/garment-tagging/garment/split'

/** A split of a garment of a tenant that has another garment waiting. */
const splitWhile =
  (env: Readonly<Record<string, string>> | undefined, texts = 0) =>
  async (): Promise<RequestParts> => {
    const { tenantId, auth } = await newTenant()
    await call('POST', '/garment-tagging/upload', auth, { ...upload, uuid: 'waiting' })
    await insertGarment(tenantId, 'mine', twoPictures)
    const full = databaseOf(tenantId).$client.prepare('UPDATE tenant_counters SET row_bytes = ? WHERE tenant_id = ?')
    await full.bind(texts, tenantId).run()
    return { path: `${split}?uuid=mine`, headers: auth, env: env ?? changing(tenantId), ...splitOf }
  }

export const garmentScenarios: Scenario[] = [
  scenario('POST /garment-tagging/garment/split', 200, onGarment(`${split}?uuid=mine`, splitOf, twoPictures)),
  scenario('POST /garment-tagging/garment/split', 400, onGarment(`${split}?uuid=mine`, splitOf)),
  scenario('POST /garment-tagging/garment/split', 404, onGarment(`${split}?uuid=unknown`, splitOf)),
  scenario(
    'POST /garment-tagging/garment/split',
    409,
    onGarment(`${split}?uuid=mine`, splitOf, { ...unfinished, ...twoPictures }),
  ),
  scenario(
    'POST /garment-tagging/garment/split',
    409,
    onGarment(`${split}?uuid=mine`, { body: { ...splitOf.body, uuid: 'mine' } }, twoPictures),
  ),
  scenario('POST /garment-tagging/garment/split', 409, splitWhile(undefined)),
  scenario('POST /garment-tagging/garment/split', 413, splitWhile({ MAX_ROW_MEGABYTES: '1' }, 1_000_000)),
  scenario('POST /garment-tagging/garment/split', 429, splitWhile({ MAX_WAITING_GARMENTS: '1' })),
  scenario('POST /garment-tagging/garment/split', 429, splitWhile({ MAX_GARMENTS: '1' })),
  scenario('POST /garment-tagging/upload', 200, async () => ({ headers: (await newTenant()).auth, body: upload })),
  scenario('POST /garment-tagging/upload', 409, async () => {
    const { auth } = await newTenant()
    await call('POST', '/garment-tagging/upload', auth, upload)
    return { headers: auth, body: { ...upload, image_url: `${upload.image_url}-either` } }
  }),
  ...['MAX_WAITING_GARMENTS', 'MAX_GARMENTS'].map((limit) =>
    scenario('POST /garment-tagging/upload', 429, async () => {
      const { auth } = await newTenant()
      await call('POST', '/garment-tagging/upload', auth, upload)
      return { headers: auth, body: { ...upload, uuid: 'another' }, env: { [limit]: '1' } }
    }),
  ),
  scenario('POST /garment-tagging/upload', 413, async () => {
    const { tenantId, auth } = await newTenant()
    await call('POST', '/garment-tagging/upload', auth, upload)
    const { $client } = databaseOf(tenantId)
    const nearlyFull = $client.prepare('UPDATE tenant_counters SET row_bytes = 999999 WHERE tenant_id = ?')
    await nearlyFull.bind(tenantId).run()
    return { headers: auth, body: { ...upload, uuid: 'another' }, env: { MAX_ROW_MEGABYTES: '1' } }
  }),
  scenario('POST /garment-tagging/upload', 411, async () => ({
    headers: { ...(await newTenant()).auth, 'Content-Type': 'multipart/form-data; boundary=b' },
    body: '--b--',
  })),
  scenario(
    'POST /garment-tagging/pictures',
    200,
    onGarment(`${pictures}?uuid=mine`, { body: { url: 'https://a.example/label.jpg', kind: 'label' } }),
  ),
  scenario('POST /garment-tagging/pictures', 409, addPicture()),
  scenario('POST /garment-tagging/pictures', 411, addPicture({ headers: form, body: '--b--', env: {} })),
  scenario('POST /garment-tagging/pictures', 413, addPicture({ env: { MAX_ROW_MEGABYTES: '1' } }, 1_000_000)),
  scenario('POST /garment-tagging/pictures', 429, addPicture({ env: { MAX_WAITING_GARMENTS: '1' } })),
  scenario(
    'POST /garment-tagging/pictures',
    429,
    addPicture({ headers: { ...form, 'Content-Length': String(file.length) }, body: file, env: { MAX_FILES: '1' } }),
  ),
  scenario('PATCH /garment-tagging/garment', 429, async () => {
    const { body: _, ...request } = await addPicture({ env: { MAX_WAITING_GARMENTS: '1' } })()
    return { ...request, path: `${garment}?uuid=mine`, body: { images: [{ url: 'https://a.example/label.jpg' }] } }
  }),
  scenario('POST /garment-tagging/pictures', 400, onGarment(`${pictures}?uuid=mine`, { body: { url: 'a' } })),
  scenario(
    'POST /garment-tagging/pictures',
    404,
    onGarment(`${pictures}?uuid=unknown`, { body: { url: 'https://a.example/label.jpg' } }),
  ),
  scenario('GET /garment-tagging/query', 200, onGarment(`${query}?uuid=mine`)),
  scenario('GET /garment-tagging/query', 200, onGarment(`${query}?uuid=mine`, {}, unfinished)),
  scenario('GET /garment-tagging/query', 200, onGarment(`${query}?uuid=mine`, {}, failed)),
  scenario('GET /garment-tagging/query', 400, onGarment(query)),
  scenario('GET /garment-tagging/query', 404, onGarment(`${query}?uuid=unknown`)),
  scenario(
    'PATCH /garment-tagging/garment',
    200,
    onGarment(`${garment}?uuid=mine`, { body: { tag: { Fit: 'Slim' } } }),
  ),
  scenario('PATCH /garment-tagging/garment', 400, onGarment(`${garment}?uuid=mine`, { body: { tag: { Fit: 'x' } } })),
  scenario('PATCH /garment-tagging/garment', 404, onGarment(`${garment}?uuid=no`, { body: { tag: { Fit: 'Slim' } } })),
  scenario(
    'PATCH /garment-tagging/garment',
    409,
    onGarment(`${garment}?uuid=mine`, { body: { tag: { Fit: 'Slim' } } }, unfinished),
  ),
  scenario('PATCH /garment-tagging/garment', 409, async () => {
    const { tenantId, auth } = await garmentOwner()
    return { path: `${garment}?uuid=mine`, headers: auth, body: { tag: { Fit: 'Slim' } }, env: changing(tenantId) }
  }),
  scenario('PATCH /garment-tagging/garment', 412, async () => {
    const { auth } = await garmentOwner()
    return {
      path: `${garment}?uuid=mine`,
      headers: { ...auth, 'If-Match': '"other"' },
      body: { tag: { Fit: 'Slim' } },
    }
  }),
  scenario('PATCH /garment-tagging/garment', 413, async () => {
    const { tenantId, auth } = await newTenant()
    await call('POST', '/garment-tagging/upload', auth, upload)
    await insertGarment(tenantId, 'complete')
    const nearlyFull = databaseOf(tenantId).$client.prepare(
      'UPDATE tenant_counters SET row_bytes = 999999 WHERE tenant_id = ?',
    )
    await nearlyFull.bind(tenantId).run()
    const env = { MAX_ROW_MEGABYTES: '1' }
    return { path: `${garment}?uuid=complete`, headers: auth, body: { attribute: { Brand: 'Ann' } }, env }
  }),
  scenario('DELETE /garment-tagging/garment', 200, onGarment(`${garment}?uuid=mine`)),
  scenario('DELETE /garment-tagging/garment', 400, onGarment(garment)),
  scenario('DELETE /garment-tagging/garment', 404, onGarment(`${garment}?uuid=unknown`)),
  scenario('POST /garment-tagging/numbers', 200, async () => ({
    headers: (await newTenant()).auth,
    body: { count: 3 },
  })),
  scenario('POST /garment-tagging/numbers', 429, async () => {
    const { tenantId, auth } = await newTenant()
    for (let i = 0; i < 25; i++) await reserveNumbers(databaseOf(tenantId), tenantId, 400)
    return { headers: auth, body: { count: 1 } }
  }),
  scenario('GET /garment-tagging/taxonomy', 200, async () => ({ headers: (await newTenant()).auth })),
  scenario('GET /garment-tagging/garments', 200, onGarment('/garment-tagging/garments?q=t-shirt')),
  scenario('GET /garment-tagging/garments', 400, onGarment('/garment-tagging/garments?limit=101')),
  scenario('GET /garment-tagging/export', 200, onGarment('/garment-tagging/export')),
  scenario('GET /garment-tagging/export', 200, onGarment('/garment-tagging/export?format=csv', {}, failed)),
  scenario('GET /garment-tagging/export', 200, async () => {
    const { tenantId, auth } = await garmentOwner()
    await insertGarment(tenantId, 'another', unfinished)
    return { headers: auth, path: '/garment-tagging/export?format=csv&limit=1' }
  }),
  scenario('GET /garment-tagging/export', 200, onGarment('/garment-tagging/export?format=shopify')),
  scenario('GET /garment-tagging/export', 200, onGarment('/garment-tagging/export?format=pictures')),
  scenario('GET /garment-tagging/export', 200, onGarment('/garment-tagging/export?format=google&report=1')),
  scenario('GET /garment-tagging/export', 400, onGarment('/garment-tagging/export?format=xml')),
  ...(
    [
      [annotated, 'annotated', keyOfAnnotated],
      [copy, 'copy', copyKey],
      [cutout, 'cutout', (tenantId: string, name: string) => cutoutKey(keyOfCutout(tenantId, name), 'cut')],
      [original, 'original', fileKey],
      [upright, 'upright', fileKey],
    ] as const
  ).flatMap(([route, name, keyOf]) => [
    scenario(route, 200, async () => await picture(name, keyOf)),
    scenario(route, 304, async () => {
      const { path, etag } = await picture(name, keyOf)
      return { path, headers: { 'If-None-Match': etag } }
    }),
    scenario(route, 404, async () => ({ path: `/garment-tagging/${name}/unknown/p` })),
  ]),
  scenario(upright, 400, async () => ({ path: '/garment-tagging/upright/a/b?rotated=45' })),
  scenario(cutout, 400, async () => ({ path: '/garment-tagging/cutout/a/b?ratio=2:1' })),
  scenario(thumbnail, 404, async () => ({ path: '/garment-tagging/annotated/unknown/p/thumbnail' })),
  scenario(thumbnail, 200, async () => {
    const { path } = await picture('annotated', keyOfAnnotated)
    return { path: `${path}/thumbnail` }
  }),
  scenario(thumbnail, 304, async () => {
    const { path, etag } = await picture('annotated', keyOfAnnotated)
    return { path: `${path}/thumbnail`, headers: { 'If-None-Match': etag } }
  }),
]
