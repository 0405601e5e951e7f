import { expect, inject } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import type { Received } from '../../support/http-host.ts'
import { newMerchant } from './visitor.ts'

export const hostOrigin = inject('hostOrigin')

/** The URL of a webhook receiver that behaves as `query` says; see `http-host.ts`. */
export const receiver = (name: string, query = 'status=200&text=thanks') => `${hostOrigin}/to/${name}?${query}`

export async function received(name: string): Promise<Received[]> {
  return (await (await fetch(`${hostOrigin}/received/${name}`)).json()) as Received[]
}

/** Has the host answer the requests for this name that `hold` keeps waiting. */
export const release = async (name: string) => await fetch(`${hostOrigin}/release/${name}`, { method: 'POST' })

/** Stores a file on the host and returns its URL. */
export async function publish(name: string, body: Uint8Array | string, query = ''): Promise<string> {
  await fetch(`${hostOrigin}/files/${name}`, { method: 'PUT', body: body as BodyInit })
  return `${hostOrigin}/files/${name}?${query}`
}

/** Draws a garment about which the tagger is in doubt, so that it is reviewed. */
export const doubtfulSeed = 34

/** By name, since to draw one takes nearly as long as to tag it. */
const drawn = new Map<string, Uint8Array>()

/** Publishes a picture of a garment and returns its URL. */
export async function publishGarment(seed = 7, query = ''): Promise<string> {
  const name = `garment-${seed}.jpg`
  const picture = drawn.get(name) ?? encodeJpeg(makeFlatLay(seed, { width: 600, height: 800 }).picture)
  drawn.set(name, picture)
  return await publish(name, picture, query)
}

/** A merchant with these garments, each complete. `query` answers one of them. */
export async function newGarments(name: string, uuids: readonly string[]) {
  const merchant = await newMerchant(name)
  const query = async (uuid: string) =>
    (await merchant.tenant.call('GET', `/garment-tagging/query?uuid=${uuid}`)).body.data
  for (const uuid of uuids)
    await merchant.tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url: await publishGarment() })
  for (const uuid of uuids) await expect.poll(async () => (await query(uuid)).status).toBe('complete')
  return { ...merchant, query }
}
