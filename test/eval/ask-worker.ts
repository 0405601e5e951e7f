import type { Tagging } from '../../src/vision/tagging.ts'
import type { startWorker } from './start-worker.ts'

/** What the tagger answers; `scale` is pixels of the original to one of the picture that lengths are given in. */
export type Answer = Omit<Tagging, 'notes' | 'scaleSource'> & { readonly scale: number }

/**
 * Tags a picture in workerd; `undefined` where the tagger refuses it. Asks again if the connection was closed, as
 * happens to one that lay idle while a slow machine rendered.
 */
export async function askWorker(
  worker: Awaited<ReturnType<typeof startWorker>>,
  bytes: Uint8Array,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer | undefined> {
  const path = `/evaluate?${new URLSearchParams(query).toString()}`
  const ask = async () => await worker.fetch(path, { method: 'POST', body: bytes })
  const response = await ask().catch(ask)
  const answer = (await response.json()) as Answer | { fault: string }
  return 'fault' in answer ? undefined : answer
}
