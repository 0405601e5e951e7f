import { annotatedCopyName, cutoutPath, picturePath } from '../../../src/garments/pictures/stored-copy.ts'
import { createHmac } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { deliveries, webhookEndpoints } from '../../../src/platform/db/schema.ts'
import { encrypt } from '../../../src/webhooks/endpoints/encrypt.ts'
import { db, keys, newScene, secret } from '../webhook-scene.ts'
import { libraries } from './libraries.ts'

describe('a webhook request', () => {
  it('is the documented body, byte for byte', async () => {
    const scene = await newScene()
    await scene.attempt(1)
    const [request] = await scene.received()
    expect(request?.body).toBe(
      `{"event":"tagging.completed","timestamp":"2026-11-21T12:00:00.000Z","uuid":"${scene.uuid}","status":"complete",` +
        `"annotated_img":"https://tags.example.com${picturePath(scene.tenantId, annotatedCopyName('picture'))}",` +
        '"tag":{"Item Type":"Größe 38 – T-Shirt 👕","Item Type Alternatives":["Bluse"],"Item Type Confidence":"High","Parts":"“schön” — 日本"},' +
        '"measurements":{"Length (cm)":70.5},"description":"","complete":true,"number":1042,' +
        '"images":[{"id":"276a1ac00ba4f0ea","kind":"front","original_img":"https://example.com/a.jpg",' +
        `"annotated_img":"https://tags.example.com${picturePath(scene.tenantId, annotatedCopyName('picture'))}",` +
        `"cutout_img":"https://tags.example.com${cutoutPath(scene.tenantId, 'picture')}",` +
        '"rotated":0,"width":600,"height":800,"failure_code":""}],' +
        '"probabilities":{"Item Type":{"Größe 38 – T-Shirt 👕":0.95,"Bluse":0.025}},"shown":"flat","scale":"estimate","notes":[],"tagger":"1.0",' +
        '"image_size":{"width":600,"height":800},"lines":{},"label":null,"attribute":{},"listing":{"title":"","text":"","price":"","currency":"","size":"","condition":"","stock":"","sku":""},"size":null,"stage":"draft","sold":null}',
    )
  })

  const free = 'Grüße, ein Geheimnis 👋'
  it.each(libraries)('is verified by %s at every attempt, for both kinds of secret', async (_, Library) => {
    for (const used of [secret, free]) {
      // Libraries compare with their own clock.
      const nowMs = Date.now()
      const scene = await newScene({ secret: used, query: 'status=500,500,200' })
      for (const attempt of [1, 2, 3]) {
        scene.clock.now = nowMs + attempt * 60_000
        await db
          .update(deliveries)
          .set({ nextAttemptAt: nowMs })
          .where(and(eq(deliveries.tenantId, scene.tenantId), eq(deliveries.id, scene.deliveryId)))
        await scene.attempt(attempt)
      }
      const requests = await scene.received()
      expect(requests.map(({ responseStatus }) => responseStatus)).toEqual([500, 500, 200])
      const verifier =
        used === free ? new Library(new TextEncoder().encode(free), { format: 'raw' }) : new Library(secret)
      for (const { body, headers } of requests) {
        verifier.verify(body, headers)
        expect(() => verifier.verify(body.replace('ö', 'o'), headers)).toThrow('No matching signature found')
      }
    }
  })

  it('can be verified by hand', async () => {
    const scene = await newScene({ secret: free })
    await scene.attempt(1)
    const [request] = await scene.received()
    const digest = createHmac('sha256', free)
      .update(request?.body ?? '')
      .digest('hex')
    expect(request?.headers['x-webhook-signature']).toBe(`sha256=${digest}`)
  })

  it('replaces stored headers with the name of a header of the service', async () => {
    const scene = await newScene()
    const forged = JSON.stringify({
      'webhook-id': 'forged',
      'Content-Type': 'text/html',
      'x-delivery-id': 'forged',
      'X-Shop': 'north',
    })
    const headers = await encrypt(forged, keys, scene.tenantId)
    await db.update(webhookEndpoints).set({ headers }).where(eq(webhookEndpoints.tenantId, scene.tenantId))
    await scene.attempt(1)
    const sent = (await scene.received())[0]?.headers
    expect(sent).toMatchObject({
      'webhook-id': scene.deliveryId,
      'x-delivery-id': scene.deliveryId,
      'content-type': 'application/json',
      'x-shop': 'north',
    })
  })

  it('has no signature without a secret', async () => {
    const scene = await newScene({ secret: '' })
    await scene.attempt(1)
    const names = Object.keys((await scene.received())[0]?.headers ?? {})
    expect(names).toContain('x-delivery-id')
    expect(names.filter((name) => name.startsWith('webhook-') || name.includes('signature'))).toEqual([])
  })

  it('carries the tenant’s custom headers and those of the service', async () => {
    const scene = await newScene({ headers: { Authorization: 'Bearer abc', 'X-Shop': 'north' } })
    await scene.attempt(1)
    expect((await scene.received())[0]?.headers).toMatchObject({
      authorization: 'Bearer abc',
      'x-shop': 'north',
      'content-type': 'application/json',
      'x-webhook-event': 'tagging.completed',
      'x-delivery-id': scene.deliveryId,
    })
  })
})
