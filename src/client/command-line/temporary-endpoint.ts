import { hostname } from 'node:os'
import type { Client } from '../create-client.ts'
import { GarmentTaggingError } from '../connection.ts'
import type { Endpoint } from '../types.ts'
import { tell } from './command.ts'

const host = hostname().slice(0, 60)
/** The longest description that an endpoint may have. */
const maxLength = 200

/**
 * Names this machine, the process and the address. An endpoint that somebody has given another address since is
 * therefore not taken for ours.
 */
const descriptionOf = (url: string, pid: number) =>
  `garment-tagging listen on ${host}, process ${pid}: ${url}`.slice(0, maxLength)

/** How long the endpoint of a machine that is gone is in the way. */
const expiresInSeconds = 900

/** Two requests each time, of the few that a tenant may make in a minute. */
export const putOffEveryMs = 300_000

export interface TemporaryEndpoint {
  readonly id: string
  /** Puts off that the service deletes it. Returns false if it is not there any more, or somebody else's. */
  readonly putOff: () => Promise<boolean>
  readonly remove: () => Promise<void>
}

/**
 * Adds an endpoint for as long as this process listens and puts off its end; the others are left alone. Removes those
 * of processes of this machine that were killed.
 */
export async function addTemporaryEndpoint(
  client: Client,
  { url, secret }: { readonly url: string; readonly secret: string },
  signal: AbortSignal,
): Promise<TemporaryEndpoint> {
  const { endpoints } = await client.listEndpoints({ signal })
  const left = endpoints.filter(isLeft)
  for (const { id } of left) await removeEndpoint(client, id)
  const others = endpoints.filter((each) => !left.includes(each))
  const description = descriptionOf(url, process.pid)
  const events = await eventsBeside(client, others, signal)
  const wanted = { url, secret, description, events, expires_in: expiresInSeconds }
  // Not ended by the signal: whether the endpoint was added has to be known.
  const { id } = await client.createEndpoint(wanted).catch((error: unknown) => {
    throw isFull(error) ? new Error(noRoom(others)) : error
  })
  return {
    id,
    async putOff() {
      const endpoint = await findEndpoint(client, id)
      if (endpoint === undefined || !isOf(endpoint, process.pid)) return false
      await client.changeEndpoint(id, { expires_in: expiresInSeconds })
      return true
    },
    async remove() {
      // Whoever configures the tenant's webhook meanwhile replaces the first one.
      if (id !== 'first' || isOf(await client.getEndpoint(id), process.pid)) await removeEndpoint(client, id)
    },
  }
}

/**
 * All events. But adding the first endpoint of a tenant sets whether it asked for corrections, so this has to stay.
 */
async function eventsBeside(client: Client, others: readonly Endpoint[], signal: AbortSignal) {
  const always = ['tagging.completed', 'tagging.failed', 'garment.deleted'] as const
  const isFirst = !others.some(({ id }) => id === 'first')
  const corrected = isFirst ? (await client.getEventSettings({ signal })).corrected : true
  return [...always, ...(corrected ? (['tagging.corrected'] as const) : [])]
}

/** Whether it still is as the process with this id added it. */
const isOf = ({ url, description }: Endpoint, pid: number) => description === descriptionOf(url, pid)

/** Whether it is that of a process of this machine that has ended, or had the id of this one. */
function isLeft(endpoint: Endpoint): boolean {
  const pid = Number(/, process (\d+): /.exec(endpoint.description)?.[1] ?? 0)
  return isOf(endpoint, pid) && (pid === process.pid || !isRunning(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's.
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

const noRoom = (endpoints: readonly Endpoint[]) =>
  [
    'The tenant has five webhook endpoints, the most there can be, so none can be added for this machine:',
    ...endpoints.map(({ id, url, description }) => `  ${id}  ${url}  ${description}`.replaceAll(/\p{Cc}/gu, ' ')),
    'Delete one in the dashboard or by the API, or receive with the secret of one: --secret.',
  ].join('\n')
