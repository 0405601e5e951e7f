import type { Settings } from '../settings.ts'
import {
  mayBePlatformAnswer,
  problemOfError,
  problemOfPlatformAnswer,
  type ConnectionProblem,
} from './connection-problem.ts'
import { readStart } from './read-start.ts'
import { ownHosts, targetProblem } from './target.ts'

const timeoutMs = 15_000
const maxRedirects = 5
const maxImageBytes = 20 * 1024 * 1024

/** Of the statuses from 400 on, these may pass; any other is final. */
const mayPass = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429

/** Why an image was not fetched; `message` is a sentence for the client. */
export class ImageError extends Error {
  override name = 'ImageError'
  /** `no room` says nothing about the image: there was no memory left for it. */
  readonly kind: 'permanent' | 'passing' | 'no room'

  constructor(kind: ImageError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/** Takes memory for bytes that have arrived; false if there is no room for them. */
export type Reserve = (bytes: number) => boolean

export interface ImagePolicy {
  readonly settings: Pick<Settings, 'ALLOW_LOCAL_TARGETS' | 'OWN_HOSTS' | 'PUBLIC_URL'>
  /** Where the service was called. */
  readonly ownOrigin: string
}

/** Why the image must not be fetched, or null. */
export function imageProblem(url: string, { settings, ownOrigin }: ImagePolicy): string | null {
  return targetProblem(url, {
    allowLocal: settings.ALLOW_LOCAL_TARGETS,
    ownHosts: ownHosts(settings, ownOrigin),
    protocols: 'http or https',
  })
}

/**
 * The bytes of an image, at most 20 MiB, within 15 s and 5 redirects, each of which is checked like the first address.
 * Throws `ImageError`.
 */
export async function fetchImage(url: string, policy: ImagePolicy, reserve: Reserve): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await followRedirects(url, policy, signal)
    return await readBytes(response, reserve)
  } catch (error) {
    if (error instanceof ImageError) throw error
    if (signal.aborted)
      throw new ImageError('passing', `The image host did not deliver the image within ${timeoutMs / 1000} s.`)
    throw unreachable(problemOfError(error))
  }
}

function unreachable(problem: ConnectionProblem): ImageError {
  return problem === 'Host not found'
    ? new ImageError('permanent', 'The image host does not exist.')
    : new ImageError('passing', 'The image host could not be reached, or it broke the connection.')
}

async function followRedirects(first: string, policy: ImagePolicy, signal: AbortSignal): Promise<Response> {
  let url = first
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const problem = imageProblem(url, policy)
    if (problem !== null)
      throw new ImageError(
        'permanent',
        `${hop === 0 ? 'image_url' : 'The address that image_url redirects to'} ${problem}.`,
      )
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { Accept: 'image/*', 'User-Agent': 'garment-tagging' },
    })
    if (response.status === 200) return response
    if (mayBePlatformAnswer(response)) {
      const connectionProblem = problemOfPlatformAnswer(response, await readStart(response))
      if (connectionProblem !== null) throw unreachable(connectionProblem)
    } else await response.body?.cancel()
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null && URL.canParse(location, url)) {
      url = new URL(location, url).href
      continue
    }
    const reason = `The image host answered with HTTP ${response.status}.`
    throw new ImageError(mayPass(response.status) ? 'passing' : 'permanent', reason)
  }
  throw new ImageError('permanent', `image_url redirects more than ${maxRedirects} times.`)
}

/** Counts the bytes as they arrive, because a declared length may be wrong or missing. */
async function readBytes(response: Response, reserve: Reserve): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    // Leaving the loop cancels the rest of the body.
    if (length > maxImageBytes) throw new ImageError('permanent', 'The image has more than 20 MiB.')
    if (!reserve(chunk.byteLength)) throw new ImageError('no room', 'The service has no memory left for the image.')
    chunks.push(chunk)
  }
  if (length === 0) throw new ImageError('permanent', 'The image is empty.')
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
