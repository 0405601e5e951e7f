import { z } from 'zod'
import { type EventName, eventNames } from '../../events/catalogue.ts'
import { type GarmentResultRow, toGarmentResponse } from '../../garments/garment.ts'
import { toIso } from '../../time.ts'
import type { EndpointRow } from '../../events/delivery.ts'
import { decryptHeaders, decryptSecrets } from '../endpoints/endpoint.ts'
import type { EncryptionKeys } from '../endpoints/encrypt.ts'
import type { Call } from './call-receiver.ts'
import { signatureHeaders } from '../endpoints/secret.ts'

type WebhookEventName = EventName | 'webhook.test'

export interface Payload {
  readonly event: WebhookEventName
  /** Exactly the bytes that are signed and sent. */
  readonly body: Uint8Array
}

interface Occurrence {
  readonly event: EventName
  readonly atMs: number
}

const storedBody = z.object({ event: z.enum(eventNames) })

/** Builds the event of an ended garment, with keys in the documented order. Every attempt sends the same bytes. */
export function garmentPayload(
  row: GarmentResultRow,
  { event, atMs }: Occurrence,
  publicUrl: string | undefined,
): Payload {
  const { failure_reason, failure_code, ...data } = toGarmentResponse(row, publicUrl)
  const { uuid, status, annotated_img, tag, measurements, description, complete, ...more } = data
  const result = {
    event,
    timestamp: toIso(atMs),
    uuid,
    status,
    annotated_img,
    tag,
    measurements,
    description,
    complete,
    ...more,
  }
  return { event, body: encode(complete ? result : { ...result, failure_reason, failure_code }) }
}

export function uuidPayload(event: EventName, uuid: string, atMs: number): Payload {
  return { event, body: encode({ event, timestamp: toIso(atMs), uuid }) }
}

export const accountPayload = (body: string): Payload => ({
  event: storedBody.parse(JSON.parse(body)).event,
  body: new TextEncoder().encode(body),
})

export const encode = (value: object) => new TextEncoder().encode(JSON.stringify(value))

const userAgent = 'Garment-Tagging-Webhook/1.0'

/** Builds the request for one attempt. The service's own headers are set last, so that they replace custom headers. */
export async function buildCall(
  keys: EncryptionKeys,
  config: EndpointRow,
  deliveryId: string,
  { event, body }: Payload,
  nowMs: number,
): Promise<Call> {
  const headers = new Headers(await decryptHeaders(config, keys))
  const [secret, ...others] = await decryptSecrets(config, keys, nowMs)
  const signature =
    secret === undefined ? {} : await signatureHeaders({ id: deliveryId, body, secrets: [secret, ...others], nowMs })
  const ownHeaders = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'X-Webhook-Event': event,
    'X-Delivery-ID': deliveryId,
    ...signature,
  }
  for (const [name, value] of Object.entries(ownHeaders)) headers.set(name, value)
  return { url: config.url ?? '', headers, body }
}
