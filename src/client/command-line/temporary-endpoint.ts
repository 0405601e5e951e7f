import { hostname } from 'node:os'
import type { Client } from '../create-client.ts'
import { GarmentTaggingError } from '../connection.ts'
import type { Endpoint } from '../types.ts'
import { tell } from './command.ts'

const host = hostname().slice(0, 60)
const maxLength = 200

/** Describes the endpoint by machine, process and URL. An endpoint with another URL is left alone. */
const describeEndpoint = (url: string, pid: number) =>
  `garment-tagging listen on ${host}, process ${pid}: ${url}`.slice(0, maxLength)

/** The service deletes the endpoint after this time without a renewal. */
const expiresInSeconds = 900

/** Each renewal takes two requests, and the tenant's rate limit is low. */
export const renewalIntervalMs = 300_000

export interface TemporaryEndpoint {
  readonly id: string
  /** Postpones the expiry. Returns false if the endpoint was deleted or changed. */
  readonly renew: () => Promise<boolean>
  readonly remove: () => Promise<void>
}

/** Adds an endpoint for this process. Removes endpoints of killed processes on this machine. */
export async function addTemporaryEndpoint(
  client: Client,
  { url, secret }: { readonly url: string; readonly secret: string },
  signal: AbortSignal,
): Promise<TemporaryEndpoint> {
  const { endpoints } = await client.listEndpoints({ signal })
  const abandoned = endpoints.filter(isAbandoned)
  for (const { id } of abandoned) await removeEndpoint(client, id)
  const others = endpoints.filter((each) => !abandoned.includes(each))
  const description = describeEndpoint(url, process.pid)
  const endpoint = { url, secret, description, events: [...receivedEvents], expires_in: expiresInSeconds }
  // No signal, because an aborted request would leave open whether the endpoint exists.
  const { id } = await client.createEndpoint(endpoint).catch((error: unknown) => {
    throw isFull(error) ? new Error(describeFull(others)) : error
  })
  return {
    id,
    async renew() {
      const endpoint = await findEndpoint(client, id)
      if (endpoint === undefined || !belongsTo(endpoint, process.pid)) return false
      await client.changeEndpoint(id, { expires_in: expiresInSeconds })
      return true
    },
    async remove() {
      // The id `first` stays if somebody replaces the configuration meanwhile.
      if (id !== 'first' || belongsTo(await client.getEndpoint(id), process.pid)) await removeEndpoint(client, id)
    },
  }
}

const receivedEvents = ['tagging.completed', 'tagging.failed', 'tagging.corrected', 'garment.deleted'] as const

const belongsTo = ({ url, description }: Endpoint, pid: number) => description === describeEndpoint(url, pid)

/** Whether the endpoint's process on this machine has ended. A process with our own id must be an older process. */
function isAbandoned(endpoint: Endpoint): boolean {
  const pid = Number(/, process (\d+): /.exec(endpoint.description)?.[1] ?? 0)
  return belongsTo(endpoint, pid) && (pid === process.pid || !isRunning(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process of another user exists but cannot be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function findEndpoint(client: Client, id: string): Promise<Endpoint | undefined> {
  return (await client.listEndpoints()).endpoints.find((endpoint) => endpoint.id === id)
}

async function removeEndpoint(client: Client, id: string): Promise<void> {
  try {
    await client.deleteEndpoint(id)
    tell('The temporary endpoint is removed.')
  } catch (error) {
    if (!(error instanceof GarmentTaggingError) || error.code !== 'endpoint_not_found') throw error
  }
}

const isFull = (error: unknown) => error instanceof GarmentTaggingError && error.code === 'too_many_endpoints'

const describeFull = (endpoints: readonly Endpoint[]) =>
  [
    'The tenant has five webhook endpoints, the most there can be, so none can be added for this machine:',
    ...endpoints.map(({ id, url, description }) => `  ${id}  ${url}  ${description}`.replaceAll(/\p{Cc}/gu, ' ')),
    'Delete one in the dashboard or by the API, or receive with the secret of one: --secret.',
  ].join('\n')
