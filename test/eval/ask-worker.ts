import type { Tagging } from '../../src/vision/tagging.ts'
import type { startWorker } from './start-worker.ts'

/** What the tagger answers; `scale` is pixels of the original to one of the picture that lengths are given in. */
export type Answer = Omit<Tagging, 'landmarks' | 'notes' | 'scaleSource'> & { readonly scale: number }

/** Tags a picture in workerd; `undefined` where the tagger refuses it. */
export async function askWorker(
  worker: Awaited<ReturnType<typeof startWorker>>,
  bytes: Uint8Array,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer | undefined> {
  const response = await worker.fetch(`/evaluate?${new URLSearchParams(query).toString()}`, {
    method: 'POST',
    body: bytes,
  })
  const answer = (await response.json()) as Answer | { fault: string }
  return 'fault' in answer ? undefined : answer
}
