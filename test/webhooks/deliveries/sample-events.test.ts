import { expect, it } from 'vitest'
import { verifyWebhook } from '../../../src/client/verify-webhook.ts'
import { sampleEvents } from '../../../src/events/catalogue.ts'
import { call, newTenant, raw } from '../../service.ts'
import { problemsOf, webhookEvents } from '../../openapi/document.ts'
import { receiver, secret } from '../webhook-scene.ts'

const path = '/garment-tagging/webhook/test'

async function newClient() {
  const { auth, tenantId } = await newTenant()
  const config = { enabled: false, url: receiver.url(tenantId), secret }
  await call('PUT', '/garment-tagging/webhook/config', auth, config)
  return { auth, received: async () => (await receiver.received(tenantId))[0] }
}

const events = webhookEvents.filter(({ event }) => sampleEvents.some((sample) => sample === event))

it.each(events)('a sample of $event is sent like a real one, signed', async ({ event, schema }) => {
  const client = await newClient()
  const answer = await call('POST', path, client.auth, { type: event })
  expect(answer.body.data).toMatchObject({ status: 'delivered', response_status: 200 })
  const request = await client.received()
  if (request === undefined) throw new Error('Nothing was received')
  expect(request.headers).toMatchObject({ 'x-webhook-event': event, 'x-delivery-id': request.headers['webhook-id'] })
  const body = await verifyWebhook(request.body, request.headers, secret)
  expect([body.event, problemsOf(schema, body)]).toEqual([event, []])
  expect(body.test).toBe(true)
  expect('uuid' in body ? body.uuid : 'test-').toMatch(/^test-/)
  expect(Math.abs(Date.parse(body.timestamp) - Date.now())).toBeLessThan(60_000)
})

it('without a body or a type webhook.test is sent', async () => {
  for (const body of [undefined, {}]) {
    const client = await newClient()
    expect((await call('POST', path, client.auth, body)).status).toBe(200)
    expect(JSON.parse((await client.received())?.body ?? '')).toMatchObject({ event: 'webhook.test' })
  }
})

it('an unknown type, and a body that is not JSON, are refused', async () => {
  const { auth } = await newClient()
  const unknown = await call('POST', path, auth, { type: 'tagging.started' })
  expect([unknown.status, unknown.body.error]).toEqual([
    400,
    [expect.stringMatching(/^type: must be one of .*tagging\.failed/)],
  ])
  const nearly = await call('POST', path, auth, { typ: 'tagging.failed' })
  expect(nearly.body.error).toEqual(['typ: is not a field; did you mean type?'])
  expect((await raw('POST', path, auth, 'type=tagging.failed')).status).toBe(415)
})
