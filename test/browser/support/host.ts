import { expect, inject } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import type { Received } from '../../support/http-host.ts'
import { newMerchant } from './visitor.ts'

export const hostOrigin = inject('hostOrigin')

/** Returns the URL of a webhook receiver. `http-host.ts` explains `query`. */
export const receiver = (name: string, query = 'status=200&text=thanks') => `${hostOrigin}/to/${name}?${query}`

export async function received(name: string): Promise<Received[]> {
  return (await (await fetch(`${hostOrigin}/received/${name}`)).json()) as Received[]
}

/** Lets the host answer requests that `hold` keeps waiting. */
export const release = async (name: string) => await fetch(`${hostOrigin}/release/${name}`, { method: 'POST' })

/** Stores a file on the host and returns its URL. */
export async function publish(name: string, body: Uint8Array | string, query = ''): Promise<string> {
  await fetch(`${hostOrigin}/files/${name}`, { method: 'PUT', body: body as BodyInit })
  return `${hostOrigin}/files/${name}?${query}`
}

/** Seed of a drawing about which the tagger is in doubt. */
export const doubtfulSeed = 34

/** Drawings by name, cached because drawing takes nearly as long as tagging. */
const drawn = new Map<string, Uint8Array>()

/** Publishes a picture of a garment and returns its URL. */
export async function publishGarment(seed = 7, query = ''): Promise<string> {
  const name = `garment-${seed}.jpg`
  const picture = drawn.get(name) ?? encodeJpeg(makeFlatLay(seed, { width: 600, height: 800 }).picture)
  drawn.set(name, picture)
  return await publish(name, picture, query)
}

/** Creates a merchant with complete garments. `query` returns one of them. */
export async function newGarments(name: string, uuids: readonly string[]) {
  const merchant = await newMerchant(name)
  const query = async (uuid: string) =>
    (await merchant.tenant.call('GET', `/garment-tagging/query?uuid=${uuid}`)).body.data
  for (const uuid of uuids)
    await merchant.tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url: await publishGarment() })
  for (const uuid of uuids) await expect.poll(async () => (await query(uuid)).status).toBe('complete')
  return { ...merchant, query }
}
