import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { GarmentTaggingError } from '../connection.ts'
import type { WebhookEvent } from '../types.ts'
import { verifyWebhook } from '../verify-webhook.ts'
import type { Client } from '../create-client.ts'
import { type Command, type Context, tell, UsageError } from './command.ts'
import { connect } from './connect.ts'
import { addTemporaryEndpoint, renewalIntervalMs, type TemporaryEndpoint } from './temporary-endpoint.ts'

interface ReceivedWebhook {
  readonly event: WebhookEvent
  /** True if the event arrived before. Deliveries are at least once. */
  readonly repeated: boolean
}

interface Handlers {
  readonly onEvent: (webhook: ReceivedWebhook) => void
  readonly onRefused: (reason: string) => void
}

const maxBodyBytes = 1024 * 1024

/** Receives webhooks on this machine. Answers 204 to genuine webhooks. Port 0 means any free port. */
async function startReceiver(port: number, secret: string, { onEvent, onRefused }: Handlers) {
  const ids = new Set<string>()

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const event = await verifyWebhook(await readBody(request), request.headers, secret)
      const id = String(request.headers['webhook-id'])
      onEvent({ event, repeated: ids.has(id) })
      ids.add(id)
      response.writeHead(204).end()
    } catch (error) {
      if (!(error instanceof GarmentTaggingError)) throw error
      onRefused(error.message)
      response.writeHead(401).end()
    }
  }

  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405, { Allow: 'POST' }).end()
    receive(request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBodyBytes) throw new GarmentTaggingError('webhook_too_large', 0, 'The body is too large', [])
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const help = `Usage: garment-tagging listen [--port PORT] [--public-url URL] [--test]

Receives webhooks on this machine, verifies each and shows it, until Ctrl+C. While it runs, the
tenant has a temporary webhook endpoint with its own secret. Other endpoints are not affected. If
the command is killed, the next "listen" on this machine removes the endpoint, or the service
removes it after 15 minutes.

  --port PORT        port to listen on; by default any free port
  --public-url URL   URL at which the service reaches this machine, such as that of a tunnel to the
                     port. Without it, the service must run on this machine
  --secret SECRET    verify with this secret and add no endpoint
  --test             send a test event at once
  --count NUMBER     end after this number of events
  --json             write each event as a line of JSON`

const options = {
  port: { type: 'string', default: '0' },
  'public-url': { type: 'string' },
  secret: { type: 'string' },
  test: { type: 'boolean' },
  count: { type: 'string' },
  json: { type: 'boolean' },
} as const

async function run(args: string[], { signal }: Context): Promise<number> {
  const { values } = parseArgs({ args, options })
  const port = parseNumber('--port', values.port)
  const count = values.count === undefined ? Infinity : parseNumber('--count', values.count)
  const secret = values.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  // With --secret, the service is called only to send a test event.
  const client = values.secret === undefined || values.test === true ? connect() : null
  let received = 0
  const counted = new AbortController()
  const receiver = await startReceiver(port, secret, {
    onEvent(webhook) {
      process.stdout.write(`${values.json === true ? JSON.stringify(webhook.event) : describe(webhook)}\n`)
      if (++received >= count) counted.abort()
    },
    onRefused: (reason) => tell(`Rejected a request. ${reason}`),
  })
  const url = values['public-url'] ?? `http://127.0.0.1:${receiver.port}/`
  let endpoint: TemporaryEndpoint | undefined
  let renewal: NodeJS.Timeout | undefined
  try {
    if (client !== null && values.secret === undefined)
      endpoint = await addTemporaryEndpoint(client, { url, secret }, signal)
    renewal = endpoint && renewEvery(endpoint, renewalIntervalMs)
    tell(`Listening on port ${receiver.port} for webhooks to ${url} (Ctrl+C ends it).`)
    if (client !== null && values.test === true) await sendTest(client, endpoint?.id, signal)
    await aborted(AbortSignal.any([signal, counted.signal]))
  } finally {
    clearInterval(renewal)
    await endpoint?.remove().catch(tellNotRemoved)
    receiver.close()
  }
  return 0
}

/** The service deletes endpoints that are not renewed. */
function renewEvery(endpoint: TemporaryEndpoint, everyMs: number): NodeJS.Timeout {
  let isDeleted = false
  return setInterval(() => {
    if (isDeleted) return
    endpoint.renew().then(
      (exists) => {
        isDeleted = !exists
        if (isDeleted) tell('The temporary endpoint was deleted, so no more webhooks arrive. Start the command again.')
      },
      // The next renewal comes before the endpoint expires.
      (error: unknown) => tell(`The temporary endpoint was not renewed: ${String(error)}`),
    )
  }, everyMs)
}

function tellNotRemoved(error: unknown): never {
  tell('The temporary endpoint could not be removed. The service removes it within 15 minutes.')
  throw error
}

async function sendTest(client: Client, endpoint: string | undefined, signal: AbortSignal): Promise<void> {
  const { status, error } = await client.sendTestEvent({ signal, ...(endpoint !== undefined && { endpoint }) })
  if (status === 'failed') tell(`The test event did not arrive: ${error}`)
}

function describe({ event, repeated }: ReceivedWebhook): string {
  const text = [new Date().toISOString(), 'verified', event.event]
  if ('uuid' in event) {
    const about =
      event.event === 'tagging.failed' ? event.failure_reason : 'description' in event ? event.description : ''
    text.push(event.uuid, about)
    if (repeated) text.push('(again)')
  }
  // Control characters in uploaded text could manipulate the terminal.
  return text.join('  ').replaceAll(/\p{Cc}/gu, ' ')
}

function parseNumber(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`${option} must be a whole number.`)
  return Number(text)
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

export const listen: Command = { summary: 'receive webhooks on this machine and show them verified', help, run }
