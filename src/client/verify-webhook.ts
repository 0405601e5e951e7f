import { configurationError, GarmentTaggingError } from './connection.ts'
import type { WebhookEvent } from './types.ts'

/** Fetch API headers, or headers of a Node.js request. */
type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Maximum age of a webhook, and maximum lead of its clock. Default 5 minutes. */
  readonly toleranceMs?: number
  readonly nowMs?: number
}

/** During a change of the secret there are two signatures. Many more would be an attack. */
const maxSignatures = 10

/**
 * Verifies a webhook (Standard Webhooks 1.0) and returns its event. Pass the body exactly as received, not parsed and
 * serialized again. While you change the secret, pass the new and the old one. Throws a `GarmentTaggingError` with
 * status 0 if the webhook is not genuine or too old.
 *
 * The same event can arrive twice, with the same `webhook-id` header.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  return JSON.parse(await readVerified(body, headers, secret, options)) as WebhookEvent
}

async function readVerified(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceMs = 5 * 60_000, nowMs = Date.now() }: VerifyOptions,
): Promise<string> {
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature').split(' ').slice(0, maxSignatures)
  if (!/^\d{1,12}$/.test(timestamp)) throw notGenuine('webhook-timestamp is not a time in seconds.')
  if (Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs) throw notGenuine('It is too old or from the future.')
  const encoder = new TextEncoder()
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const signed = concat(encoder.encode(`${id}.${timestamp}.`), bytes)
  for (const key of await Promise.all([secret].flat().map(importKey))) {
    for (const signature of signatures) {
      if (!signature.startsWith('v1,')) continue
      const claimed = decodeBase64(signature.slice('v1,'.length))
      // `verify` compares in constant time.
      if (claimed !== null && (await crypto.subtle.verify('HMAC', key, claimed, signed)))
        return new TextDecoder().decode(bytes)
    }
  }
  throw notGenuine('No signature matches the secret.')
}

const notGenuine = (reason: string) =>
  new GarmentTaggingError('webhook_not_genuine', 0, 'The webhook could not be verified', [reason])

function readHeader(headers: WebhookHeaders, name: string): string {
  const isHeaders = (all: WebhookHeaders): all is Headers => typeof all['get'] === 'function'
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw notGenuine(`The header ${name} is missing.`)
  return value
}

async function importKey(secret: string): Promise<CryptoKey> {
  // With an empty secret, anybody could sign. The setting was probably forgotten.
  if (secret === '') throw configurationError('The secret must not be empty.')
  const bytes = secret.startsWith('whsec_')
    ? decodeBase64(secret.slice('whsec_'.length))
    : new TextEncoder().encode(secret)
  if (bytes === null) throw configurationError('The secret must be base64 after "whsec_".')
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

function concat(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length)
  all.set(head)
  all.set(tail, head.length)
  return all
}
