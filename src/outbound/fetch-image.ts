import type { Settings } from '../settings.ts'
import {
  mayBePlatformAnswer,
  problemOfError,
  problemOfPlatformAnswer,
  type ConnectionProblem,
} from './connection-problem.ts'
import { ImageError, NoRoomError } from './image-error.ts'
import { readStart } from './read-start.ts'
import { samplePath } from './sample-pictures.ts'
import { describeTargetProblem, findTargetProblem, ownHosts, type TargetProblem } from './target.ts'

const maxFetchMs = 15_000
const maxRedirects = 5
export const maxImageBytes = 20 * 1024 * 1024
const firstBytes = 64 * 1024

/** The error statuses that may be temporary; any other is final. */
const mayPass = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429

/** Reserves memory for this many bytes; false if there is no room for them. */
export type Reserve = (bytes: number) => boolean

export interface ImagePolicy {
  readonly settings: Pick<Settings, 'ALLOW_LOCAL_TARGETS' | 'OWN_HOSTS' | 'PUBLIC_URL'>
  /** Where the service was called. */
  readonly ownOrigin: string
}

/** Why the image must not be fetched, as the end of a sentence, or null. */
export function imageProblem(url: string, policy: ImagePolicy): string | null {
  const problem = findImageProblem(url, policy)
  return problem === null ? null : describeTargetProblem(problem)
}

/** Why the image must not be fetched, as a code, or null. Of our own addresses, only samples may be. */
export function findImageProblem(url: string, policy: ImagePolicy): TargetProblem | null {
  return samplePath(url, policy) === null ? findProblem(url, policy) : null
}

function findProblem(url: string, { settings, ownOrigin }: ImagePolicy): TargetProblem | null {
  return findTargetProblem(url, {
    allowLocal: settings.ALLOW_LOCAL_TARGETS,
    ownHosts: ownHosts(settings, ownOrigin),
    protocols: 'http or https',
  })
}

/** `fetchImage`, which reads the service's own sample pictures from its static files. */
export const createFetchImage =
  (assets: Fetcher): typeof fetchImage =>
  async (url, policy, reserve) => {
    if (samplePath(url, policy) === null) return await fetchImage(url, policy, reserve)
    const { body } = await assets.fetch(url)
    return await readImage({ body, declared: 0 }, reserve)
  }

/**
 * The bytes of an image, at most 20 MiB, within 15 s and 5 redirects, each of which is checked like the first address.
 * Throws `ImageError` and `NoRoomError`.
 */
export async function fetchImage(
  url: string,
  policy: ImagePolicy,
  reserve: Reserve,
  timeoutMs = maxFetchMs,
): Promise<Uint8Array<ArrayBuffer>> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await followRedirects(url, policy, signal)
    const declared = Number(response.headers.get('content-length') ?? 0)
    return await readImage({ body: response.body, declared }, reserve)
  } catch (error) {
    if (error instanceof ImageError || error instanceof NoRoomError) throw error
    if (signal.aborted) throw new ImageError('passing', 'host_timeout', { seconds: timeoutMs / 1000 })
    throw unreachable(problemOfError(error))
  }
}

function unreachable(problem: ConnectionProblem): ImageError {
  return problem === 'host_not_found'
    ? new ImageError('permanent', 'host_not_found')
    : new ImageError('passing', 'host_unreachable')
}

async function followRedirects(first: string, policy: ImagePolicy, signal: AbortSignal): Promise<Response> {
  let url = first
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const problem = findProblem(url, policy)
    if (problem !== null) throw new ImageError('permanent', hop === 0 ? 'url_refused' : 'redirect_refused', { problem })
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
    const next = location === null ? null : URL.parse(location, url)
    if (response.status >= 300 && response.status < 400 && next !== null) {
      url = next.href
      continue
    }
    const { status } = response
    throw new ImageError(mayPass(status) ? 'passing' : 'permanent', 'host_status', { status })
  }
  throw new ImageError('permanent', 'too_many_redirects', { max: maxRedirects })
}

interface ImageBody {
  readonly body: ReadableStream<Uint8Array> | null
  /** In bytes; 0 if unknown. */
  readonly declared: number
}

/**
 * The bytes of an image, at most 20 MiB. Reads into one buffer that is moved when it has to grow, so that nothing is
 * left to the garbage collector. A declared length may be wrong or missing: it only decides the final size of the
 * buffer. Throws `ImageError` and `NoRoomError`.
 */
export async function readImage({ body, declared }: ImageBody, reserve: Reserve): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader({ mode: 'byob' })
  if (reader === undefined) throw new ImageError('permanent', 'image_empty')
  let buffer = new ArrayBuffer(0)
  let length = 0
  try {
    for (;;) {
      if (length > maxImageBytes)
        throw new ImageError('permanent', 'image_too_large', { mebibytes: maxImageBytes / 1024 / 1024 })
      if (length === buffer.byteLength) {
        const size = nextSize(length, declared)
        if (!reserve(size - length)) throw new NoRoomError()
        buffer = buffer.transfer(size)
      }
      const { done, value } = await reader.read(new Uint8Array(buffer, length))
      if (value !== undefined) buffer = value.buffer
      if (done) break
      length += value.byteLength
    }
  } finally {
    // Not awaited, because the host could delay it.
    void reader.cancel().catch(() => {})
  }
  if (length === 0) throw new ImageError('permanent', 'image_empty')
  return new Uint8Array(buffer, 0, length)
}

/** At most twice what has arrived, so that nobody takes memory by announcing a large image. */
function nextSize(length: number, declared: number): number {
  const doubled = Math.max(2 * length, firstBytes)
  const isDeclared = declared >= length && declared < doubled
  // With one byte more, an image of the maximum size differs from a larger one.
  return Math.min(isDeclared ? declared + 1 : doubled, maxImageBytes + 1)
}
