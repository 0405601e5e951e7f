import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GarmentTaggingError } from '../error.ts'
import type { WebhookEvent } from '../types.ts'
import { verifyWebhook } from '../verify-webhook.ts'

export interface ReceivedWebhook {
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
export async function startReceiver(port: number, secret: string, { onEvent, onRefused }: Handlers) {
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
