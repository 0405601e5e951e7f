import { notProcessed } from '../../src/garments/failure.ts'
import { expect, it } from 'vitest'
import { correctGarment } from '../../src/garments/corrections/correct-garment.ts'
import { correctionDeps } from '../../src/garments/corrections/store-correction.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/change-endpoint.ts'
import { deleteGarment } from '../../src/garments/delete-garment.ts'
import type { DeliveryMessage } from '../../src/events/delivery.ts'
import { attemptDelivery } from '../../src/webhooks/deliveries/attempt-delivery.ts'
import { endpointRequest } from '../../src/webhooks/webhook-fields.ts'
import { callDeps } from '../../src/webhooks/deliveries/call-receiver.ts'
import { sendTestEvent } from '../../src/webhooks/deliveries/send-test-event.ts'
import { machineMeasurements, machineTag } from '../garments/review/complete-garment.ts'
import {
  db,
  keys,
  localPolicy,
  newScene,
  receiver,
  type Scene,
  secret,
  settings,
  startMs,
} from '../webhooks/webhook-scene.ts'
import { bindings, someone } from '../service.ts'
import { samplePayload } from '../../src/webhooks/describe-events.ts'
import { accountEventScenes } from './scenarios/account-events.ts'
import { problemsOf, webhookEvents } from './document.ts'

const garment = { tag: machineTag, measurements: machineMeasurements }
const failed = {
  status: 'failed',
  result: null,
  failure: notProcessed,
} as const

async function delivered(scene: Scene) {
  await scene.attempt(1)
  return scene
}

/** Corrects a garment, in the review or elsewhere, and returns what an endpoint that asks for one event receives. */
async function corrected(
  event: 'tagging.corrected' | 'garment.reviewed' | 'garment.stage_changed',
  isReview = false,
  attribute: Record<string, string> = {},
) {
  const scene = await newScene({ garment })
  const endpoint = endpointRequest.parse({ url: receiver.url(scene.name), events: [event], secret })
  await createEndpoint({ db, keys, policy: localPolicy }, scene.tenantId, endpoint, startMs, someone)
  const patch = { tag: { Colour: 'Black' }, measurements: {}, attribute }
  const correction = { uuid: scene.uuid, patch, by: { kind: 'member', id: 's', name: 'Ann' }, isReview } as const
  await correctGarment(
    { ...correctionDeps({ env: bindings, db: db }), webhookQueue: scene.queue },
    scene.tenantId,
    correction,
    startMs,
  )
  for (const { body } of scene.sent) await attemptDelivery(body, scene.deps)
  return scene
}

it('a correction outside of the review sends no garment.reviewed', async () => {
  expect((await corrected('garment.reviewed')).sent).toEqual([])
})

async function deleted() {
  const scene = await newScene({ garment, delivery: { status: 'delivered', nextAttemptAt: null, dueAt: null } })
  const { tenantId, name, uuid } = scene
  const endpoint = endpointRequest.parse({ url: receiver.url(name), events: ['garment.deleted'], secret })
  await createEndpoint({ db, keys, policy: localPolicy }, tenantId, endpoint, startMs, someone)
  const messages: DeliveryMessage[] = []
  const webhookQueue = {
    sendBatch: async (sent: { body: DeliveryMessage }[]) => void messages.push(...sent.map(({ body }) => body)),
  } as unknown as Queue
  const { PICTURES: pictures, TAGGING_QUEUE: taggingQueue } = bindings
  await deleteGarment({ db, pictures, taggingQueue, webhookQueue }, tenantId, uuid, startMs, someone)
  for (const message of messages) await attemptDelivery(message, scene.deps)
  return scene
}

async function tested() {
  const scene = await newScene()
  const call = callDeps(settings, 'https://service.test')
  await sendTestEvent({ ...call, policy: localPolicy, db, keys }, scene.tenantId, {
    payload: samplePayload('webhook.test', startMs),
  })
  return scene
}

/** Maps each event to a scene whose receiver got it. */
const scenes: Readonly<Record<string, () => Promise<Pick<Scene, 'received'>>>> = {
  'tagging.completed': async () => await delivered(await newScene({ garment })),
  'tagging.failed': async () => await delivered(await newScene({ garment: failed })),
  'tagging.corrected': async () => await corrected('tagging.corrected'),
  'garment.reviewed': async () => await corrected('garment.reviewed', true),
  'garment.stage_changed': async () => await corrected('garment.stage_changed', false, { Stage: 'sold' }),
  'garment.deleted': deleted,
  ...accountEventScenes,
  'webhook.test': tested,
}

it('the OpenAPI document has every webhook event', () => {
  expect(webhookEvents.map(({ event }) => event)).toEqual(Object.keys(scenes))
})

/** Lists the described headers that a request does not have, in lower case. */
function headersNotSent({ headers }: (typeof webhookEvents)[number], sent: Readonly<Record<string, unknown>>) {
  return headers.map(({ name }) => name.toLowerCase()).filter((name) => !(name in sent))
}

it.each(webhookEvents)('$event is sent with the body and the headers of the OpenAPI document', async (described) => {
  const scene = await scenes[described.event]?.()
  const [request] = (await scene?.received()) ?? []
  if (request === undefined) throw new Error('Nothing was received')
  const body = JSON.parse(request.body) as object
  expect(body).toMatchObject({ event: described.event })
  expect(problemsOf(described.schema, body)).toEqual([])
  expect(headersNotSent(described, request.headers)).toEqual(['x-webhook-signature-previous'])
})

it('every header of the OpenAPI document is sent soon after the secret was changed', async () => {
  const scene = await newScene({ garment })
  await scene.configure({ secret: 'the new secret' })
  await scene.attempt(1)
  const [request] = await scene.received()
  expect(webhookEvents.flatMap((event) => headersNotSent(event, request?.headers ?? {}))).toEqual([])
})

it.each(webhookEvents)('$event is sent without signature headers if there is no secret', async ({ headers }) => {
  const scene = await delivered(await newScene({ garment, secret: '' }))
  const [request] = await scene.received()
  const sent = headers.filter(({ name }) => name.toLowerCase() in (request?.headers ?? {}))
  expect(sent).toEqual(headers.filter(({ required }) => required))
})
