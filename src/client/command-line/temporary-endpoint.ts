import { hostname } from 'node:os'
import type { Client } from '../create-client.ts'
import { GarmentTaggingError } from '../error.ts'
import type { Endpoint } from '../types.ts'
import { tell } from './command.ts'

const host = hostname().slice(0, 60)
const prefix = `garment-tagging listen on ${host}, process `
/** Of an endpoint's description. */
const maxLength = 200

/**
 * Names this machine, the process and the address. An endpoint that somebody has given another address since is
 * therefore not taken for ours.
 */
const descriptionOf = (url: string, pid: number) => `${prefix}${pid}: ${url}`.slice(0, maxLength)

export interface TemporaryEndpoint {
  readonly id: string
  readonly remove: () => Promise<void>
}

/**
 * Adds an endpoint for as long as this process listens; the others are left alone. Removes those of processes of this
 * machine that were killed.
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
  // Not ended by the signal: whether the endpoint was added has to be known.
  const { id } = await client.createEndpoint({ url, secret, description, events }).catch((error: unknown) => {
    throw isFull(error) ? new Error(noRoom(others)) : error
  })
  return {
    id,
    async remove() {
      // Whoever configured the webhook meanwhile has taken over the first endpoint.
      if (id === 'first' && !isOf(await client.getEndpoint(id), process.pid)) return
      await removeEndpoint(client, id)
    },
  }
}

/** Adding the first endpoint of a tenant sets which events it asked for, so these have to stay. */
async function eventsBeside(client: Client, others: readonly Endpoint[], signal: AbortSignal) {
  const always = ['tagging.completed', 'tagging.failed'] as const
  const isFirst = !others.some(({ id }) => id === 'first')
  const corrected = isFirst ? (await client.getEventSettings({ signal })).corrected : true
  return [...always, ...(corrected ? (['tagging.corrected'] as const) : [])]
}

/** Whether it still is as the process with this id added it. */
const isOf = ({ url, description }: Endpoint, pid: number) => description === descriptionOf(url, pid)

/** Whether it belongs to a process of this machine that has ended. */
function isLeft(endpoint: Endpoint): boolean {
  const { description } = endpoint
  const [, digits] = description.startsWith(prefix) ? (/^(\d+): /.exec(description.slice(prefix.length)) ?? []) : []
  if (digits === undefined || !isOf(endpoint, Number(digits))) return false
  return Number(digits) === process.pid || !isRunning(Number(digits))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
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
