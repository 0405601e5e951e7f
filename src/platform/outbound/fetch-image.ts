import { describeTargetProblem, findTargetProblem, ownHosts, type TargetProblem } from './target.ts'
import type { Settings } from '../../settings.ts'
import {
  type ConnectionProblem,
  mayBePlatformAnswer,
  problemOfError,
  problemOfPlatformAnswer,
  readStart,
} from './read-answer.ts'

interface Refused {
  readonly problem: TargetProblem
}

/** Why an image was not fetched. */
export const imageSentences = {
  url_refused: ({ problem }: Refused) => `image_url ${describeTargetProblem(problem)}.`,
  redirect_refused: ({ problem }: Refused) =>
    `The address that image_url redirects to ${describeTargetProblem(problem)}.`,
  too_many_redirects: ({ max }: { readonly max: number }) => `image_url redirects more than ${max} times.`,
  host_not_found: () => 'The image host does not exist.',
  host_unreachable: () => 'The image host could not be reached, or it broke the connection.',
  host_timeout: ({ seconds }: { readonly seconds: number }) =>
    `The image host did not deliver the image within ${seconds} s.`,
  host_status: ({ status }: { readonly status: number }) => `The image host answered with HTTP ${status}.`,
  encoding_broken: ({ encoding }: { readonly encoding: string }) =>
    `The image host declares the encoding ${encoding} (Content-Encoding), but the image could not be decoded by it.`,
  image_empty: () => 'The image is empty.',
  image_too_large: ({ mebibytes }: { readonly mebibytes: number }) => `The image has more than ${mebibytes} MiB.`,
  file_removed: () => 'The uploaded file was removed; upload it again.',
}

type ImageCode = keyof typeof imageSentences

export class ImageError<Code extends ImageCode = ImageCode> extends Error {
  override name = 'ImageError'
  readonly kind: 'permanent' | 'passing'
  readonly code: Code
  readonly params: object

  constructor(kind: ImageError['kind'], code: Code, ...params: Parameters<(typeof imageSentences)[Code]>) {
    const sentence = imageSentences[code] as (...params: readonly object[]) => string
    super(sentence(...params))
    this.kind = kind
    this.code = code
    this.params = params[0] ?? {}
  }
}

/** The isolate has no memory left for the image. A later try may succeed. */
export class NoRoomError extends Error {
  override name = 'NoRoomError'
}

/** Photographs for trials: static files below `/samples/`. */
export const samplePictures = [
  'shirt.jpg',
  't-shirt.jpg',
  'dress.jpg',
  'jeans.jpg',
  'skirt.jpg',
  'blazer.jpg',
  'childs-dress.jpg',
  'jumper-cut-out.jpg',
  'shirt-with-card.jpg',
] as const

interface OwnAddresses {
  readonly settings: Pick<Settings, 'OWN_HOSTS' | 'PUBLIC_URL'>
  readonly ownOrigin: string
}

/** Returns the path of this service's sample picture at `url`, else null. */
export function samplePath(url: string, { settings, ownOrigin }: OwnAddresses): string | null {
  const parsed = URL.parse(url)
  if (parsed === null) return null
  const { host, pathname, href, origin } = parsed
  const hosts = [ownOrigin, settings.PUBLIC_URL].flatMap((each) =>
    each === undefined ? [] : (URL.parse(each)?.host ?? []),
  )
  const isOwn = hosts.includes(host) || settings.OWN_HOSTS.includes(host)
  const isSample = samplePictures.some((name) => href === `${origin}/samples/${name}`)
  return isOwn && isSample ? pathname : null
}

const maxFetchMs = 15_000
const maxRedirects = 5
export const maxImageBytes = 20 * 1024 * 1024
const firstBytes = 64 * 1024

/** Names formats instead of `image/*`, because some hosts would send AVIF. */
const acceptedTypes = 'image/jpeg, image/png, image/webp'

/** Whether an error status may be temporary. */
const mayPass = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429

/** Reserves bytes of memory. Returns false without room. */
type Reserve = (bytes: number) => boolean

export interface Intake {
  readonly reserve: Reserve
  /** Throws if the file does not begin like a picture, so that the rest is not read. */
  readonly checkStart: (start: Uint8Array) => void
}

/** Length of the start that `checkStart` gets, or the whole file if it is smaller. */
const startBytes = 512

/** Statuses with a picture. Proxies send 203, and services that render pictures send 201. */
const pictureStatuses = [200, 201, 203]

export interface ImagePolicy {
  readonly settings: Pick<Settings, 'ALLOW_LOCAL_TARGETS' | 'OWN_HOSTS' | 'PUBLIC_URL'>
  readonly ownOrigin: string
}

/** Returns why the image must not be fetched ("must be ..."), or null. */
export function imageProblem(url: string, policy: ImagePolicy): string | null {
  const problem = findImageProblem(url, policy)
  return problem === null ? null : describeTargetProblem(problem)
}

/** Like `imageProblem`, but returns the code. Of the service's own URLs, only samples are allowed. */
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

export const createFetchImage =
  (assets: Fetcher): typeof fetchImage =>
  async (url, policy, intake) => {
    if (samplePath(url, policy) === null) return await fetchImage(url, policy, intake)
    const { body } = await assets.fetch(url)
    return await readImage({ body, declared: 0 }, intake)
  }

/**
 * Fetches an image of at most 20 MiB within 15 s and 5 redirects, each checked like the first URL. Throws `ImageError`,
 * `NoRoomError` and the errors of `checkStart`.
 */
export async function fetchImage(
  url: string,
  policy: ImagePolicy,
  intake: Intake,
  timeoutMs = maxFetchMs,
): Promise<Uint8Array<ArrayBuffer>> {
  const signal = AbortSignal.timeout(timeoutMs)
  const late = () => new ImageError('passing', 'host_timeout', { seconds: timeoutMs / 1000 })
  const call = async (address: string) =>
    await fetch(address, {
      redirect: 'manual',
      signal,
      headers: { Accept: acceptedTypes, 'User-Agent': 'garment-tagging' },
    }).catch(async (error: unknown) => {
      if (signal.aborted) throw late()
      const isUnknown = policy.settings.ALLOW_LOCAL_TARGETS && (await isUnknownHost(address, error, signal))
      throw unreachable(isUnknown ? 'host_not_found' : problemOfError(error))
    })
  const { body, headers } = await followRedirects(url, policy, call)
  const toError = (error: unknown, readBytes: number) => {
    if (signal.aborted) return late()
    const encoding = headers.get('content-encoding')
    if (encoding === null || !/decompress/i.test(String(error))) return unreachable(problemOfError(error))
    // Once bytes have arrived, a broken connection causes the same error.
    return new ImageError(readBytes === 0 ? 'permanent' : 'passing', 'encoding_broken', { encoding })
  }
  return await readImage({ body, declared: Number(headers.get('content-length') ?? 0), toError }, intake)
}

/**
 * Whether a host name does not resolve. The local runtime throws the same error for a failed TLS handshake, so this
 * asks the host without TLS. Cloudflare answers in place of the host instead.
 */
async function isUnknownHost(address: string, error: unknown, signal: AbortSignal): Promise<boolean> {
  const isUnnamed = (fault: unknown) => String(fault).includes('internal error')
  if (!isUnnamed(error)) return false
  const plain = address.replace(/^https:/, 'http:')
  return await fetch(plain, { method: 'HEAD', redirect: 'manual', signal }).then(() => false, isUnnamed)
}

function unreachable(problem: ConnectionProblem): ImageError {
  return problem === 'host_not_found'
    ? new ImageError('permanent', 'host_not_found')
    : new ImageError('passing', 'host_unreachable')
}

async function followRedirects(
  first: string,
  policy: ImagePolicy,
  call: (address: string) => Promise<Response>,
): Promise<Response> {
  let url = first
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const problem = findProblem(url, policy)
    if (problem !== null) throw new ImageError('permanent', hop === 0 ? 'url_refused' : 'redirect_refused', { problem })
    const response = await call(url)
    if (pictureStatuses.includes(response.status)) return response
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
  /** Declared length in bytes. 0 if unknown. */
  readonly declared: number
  /** Converts an error of the body after `readBytes` bytes. */
  readonly toError?: (error: unknown, readBytes: number) => unknown
}

/**
 * Reads an image of at most 20 MiB into one growing buffer. Refuses a larger declared length before reading. A smaller
 * declared length may be wrong, so it only sets the final size. Throws like `fetchImage`.
 */
export async function readImage(
  { body, declared, toError = (error) => error }: ImageBody,
  { reserve, checkStart }: Intake,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader({ mode: 'byob' })
  if (reader === undefined) throw new ImageError('permanent', 'image_empty')
  const tooLarge = () => new ImageError('permanent', 'image_too_large', { mebibytes: maxImageBytes / 1024 / 1024 })
  let buffer = new ArrayBuffer(0)
  let length = 0
  let isChecked = false
  try {
    if (declared > maxImageBytes) throw tooLarge()
    for (;;) {
      if (length > maxImageBytes) throw tooLarge()
      if (length === buffer.byteLength) {
        const size = nextSize(length, declared)
        if (!reserve(size - length)) throw new NoRoomError()
        buffer = buffer.transfer(size)
      }
      const { done, value } = await reader.read(new Uint8Array(buffer, length)).catch((error: unknown) => {
        throw toError(error, length)
      })
      if (value !== undefined) buffer = value.buffer
      if (!done) length += value.byteLength
      if (!isChecked && length > 0 && (done || length >= startBytes)) {
        checkStart(new Uint8Array(buffer, 0, Math.min(length, startBytes)))
        isChecked = true
      }
      if (done) break
    }
  } finally {
    // Not awaited, because the host could delay the cancellation.
    void reader.cancel().catch(() => {})
  }
  if (length === 0) throw new ImageError('permanent', 'image_empty')
  return new Uint8Array(buffer, 0, length)
}

/** Returns at most twice the arrived length, so that announcing a large image reserves no memory. */
function nextSize(length: number, declared: number): number {
  const doubled = Math.max(2 * length, firstBytes)
  const isDeclared = declared >= length && declared < doubled
  // One byte more tells an image of the maximum size from a larger one.
  return Math.min(isDeclared ? declared + 1 : doubled, maxImageBytes + 1)
}
