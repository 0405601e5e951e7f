import type { Settings } from '../settings.ts'
import { hostsOf, targetProblem } from './target.ts'
import { PassingFault, PermanentFault } from '../vision/fault.ts'

const timeoutMs = 15_000
const maxRedirects = 5
export const maxImageBytes = 20 * 1024 * 1024

/** 408, 425, 429 and 5xx can pass; any other status from 400 on says that the picture is not to be had. */
const passingStatus = (status: number) => status >= 500 || status === 408 || status === 425 || status === 429

export interface ImagePolicy {
  readonly settings: Pick<Settings, 'ALLOW_LOCAL_TARGETS' | 'PUBLIC_URL'>
  /** Where the service was called. */
  readonly ownOrigin: string
}

/** Why the image must not be fetched, or null. */
export function imageProblem(url: string, { settings, ownOrigin }: ImagePolicy): string | null {
  return targetProblem(url, {
    allowLocal: settings.ALLOW_LOCAL_TARGETS,
    ownHosts: hostsOf(settings.PUBLIC_URL, ownOrigin),
    protocols: 'http or https',
  })
}

/**
 * The bytes of an image, at most 20 MiB of them, within 15 s and 5 redirects, each of which is checked like the first
 * address. Throws `PermanentFault` or `PassingFault`.
 */
export async function fetchImage(url: string, policy: ImagePolicy): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await followRedirects(url, policy, signal)
    return await readBytes(response)
  } catch (error) {
    if (error instanceof PermanentFault || error instanceof PassingFault) throw error
    if (signal.aborted) throw new PassingFault(`The image host did not deliver the image within ${timeoutMs / 1000} s.`)
    throw new PassingFault('The image host could not be reached, or it broke the connection.')
  }
}

async function followRedirects(first: string, policy: ImagePolicy, signal: AbortSignal): Promise<Response> {
  let url = first
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const problem = imageProblem(url, policy)
    if (problem !== null)
      throw new PermanentFault(`${hop === 0 ? 'image_url' : 'The address that image_url redirects to'} ${problem}.`)
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { Accept: 'image/*', 'User-Agent': 'garment-tagging' },
    })
    if (response.status === 200) return response
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null && URL.canParse(location, url)) {
      url = new URL(location, url).href
      continue
    }
    const reason = `The image host answered with HTTP ${response.status}.`
    throw passingStatus(response.status) ? new PassingFault(reason) : new PermanentFault(reason)
  }
  throw new PermanentFault(`image_url redirects more than ${maxRedirects} times.`)
}

/** Counts the bytes as they come: a declared length may be wrong or missing. */
async function readBytes(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    // Leaving the loop cancels the rest of the body.
    if (length > maxImageBytes) throw new PermanentFault('The image has more than 20 MiB.')
    chunks.push(chunk)
  }
  if (length === 0) throw new PermanentFault('The image is empty.')
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
