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
import { addTemporaryEndpoint, putOffEveryMs, type TemporaryEndpoint } from './temporary-endpoint.ts'

interface ReceivedWebhook {
  readonly event: WebhookEvent
  /** Whether it arrived before, as a delivery that is at least once may. */
  readonly repeated: boolean
}

interface Handlers {
  readonly onEvent: (webhook: ReceivedWebhook) => void
  readonly onRefused: (reason: string) => void
}

/** Far more than any event has. */
const maxBodyBytes = 1024 * 1024

/** Receives webhooks on this machine, and answers 204 to those that are genuine. Port 0 takes any free port. */
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

Receives webhooks on this machine, verifies each and shows it, until Ctrl+C. For that time the
tenant has one more webhook endpoint, with a secret of its own; the others go on as before. If the
command is killed, the next one on this machine removes what it left, or the service does after 15
minutes.

  --port PORT        by default any free port
  --public-url URL   where the service reaches this machine, such as the address of a tunnel to the
                     port. Without it the service must run on this machine
  --secret SECRET    only receive, verify with this secret, and add no endpoint
  --test             ask for a test event at once
  --count NUMBER     end after so many events
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
  const port = numberOf('--port', values.port)
  const count = values.count === undefined ? Infinity : numberOf('--count', values.count)
  const ownSecret = values.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  // With a secret of the user nothing is asked of the service, unless it is for a test event.
  const client = values.secret === undefined || values.test === true ? connect() : null
  let received = 0
  const enough = new AbortController()
  const receiver = await startReceiver(port, ownSecret, {
    onEvent(webhook) {
      process.stdout.write(`${values.json === true ? JSON.stringify(webhook.event) : describe(webhook)}\n`)
      if (++received >= count) enough.abort()
    },
    onRefused: (reason) => tell(`Refused a request. ${reason}`),
  })
  const url = values['public-url'] ?? `http://127.0.0.1:${receiver.port}/`
  let endpoint: TemporaryEndpoint | undefined
  let putOff: NodeJS.Timeout | undefined
  try {
    if (client !== null && values.secret === undefined)
      endpoint = await addTemporaryEndpoint(client, { url, secret: ownSecret }, signal)
    putOff = endpoint && putOffEvery(endpoint, putOffEveryMs)
    tell(`Listening on port ${receiver.port} for webhooks to ${url} (Ctrl+C ends it).`)
    if (client !== null && values.test === true) await sendTest(client, endpoint?.id, signal)
    await aborted(AbortSignal.any([signal, enough.signal]))
  } finally {
    clearInterval(putOff)
    await endpoint?.remove().catch(tellLeft)
    receiver.close()
  }
  return 0
}

/** As long as the process runs; so the service deletes the endpoint of a machine that is gone. */
function putOffEvery(endpoint: TemporaryEndpoint, everyMs: number): NodeJS.Timeout {
  let isGone = false
  return setInterval(() => {
    if (isGone) return
    endpoint.putOff().then(
      (isThere) => {
        isGone = !isThere
        if (isGone) tell('The temporary endpoint is gone; nothing more arrives. Start the command again.')
      },
      // The next time is in time, too.
      (error: unknown) => tell(`The temporary endpoint was not prolonged: ${String(error)}`),
    )
  }, everyMs)
}

function tellLeft(error: unknown): never {
  tell('The temporary endpoint could not be removed. The service does it within 15 minutes.')
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
  // A description can hold what anybody uploaded, but must not control the terminal.
  return text.join('  ').replaceAll(/\p{Cc}/gu, ' ')
}

function numberOf(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`${option} must be a whole number.`)
  return Number(text)
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

export const listen: Command = { summary: 'receive webhooks on this machine and show them verified', help, run }
