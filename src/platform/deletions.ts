import { log } from '../log.ts'
import { dayMs } from '../time.ts'

/**
 * Prefix of recorded deletions in R2, because a restored database has forgotten them. A record's name begins with the
 * time, so that records can be listed from the restored moment on.
 */
const prefix = 'deleted/'

/** Records stay longer than D1 can restore a database. */
const keptMs = 31 * dayMs

export type Deletion =
  | { readonly kind: 'merchant' | 'tenant' | 'api-key'; readonly id: string }
  | { readonly kind: 'garment'; readonly tenantId: string; readonly uuid: string }

export type RecordedDeletion = Deletion & { readonly at: number }

const keyFrom = (ms: number) => `${prefix}${new Date(ms).toISOString()}`

function keyOf(deletion: Deletion, nowMs: number): string {
  const name = deletion.kind === 'garment' ? `${deletion.tenantId}/${deletion.uuid}` : deletion.id
  return `${keyFrom(nowMs)}/${deletion.kind}/${name}`
}

function deletionOf(key: string): RecordedDeletion {
  const [time = '', kind, id = '', ...uuid] = key.slice(prefix.length).split('/')
  const at = Date.parse(time)
  if (kind === 'garment') return { kind, tenantId: id, uuid: uuid.join('/'), at }
  if (kind === 'merchant' || kind === 'tenant' || kind === 'api-key') return { kind, id, at }
  throw new Error(`Not the name of a deletion: ${key}`)
}

/** Call it after the deletion, so that only deleted things have a record. */
export async function recordDeletion(pictures: R2Bucket, deletion: Deletion, nowMs: number): Promise<void> {
  await pictures.put(keyOf(deletion, nowMs), '')
}

/** Records a deletion. Only logs a failure, because the deletion itself cannot be undone. */
export async function tryToRecordDeletion(pictures: R2Bucket, deletion: Deletion, nowMs: number): Promise<void> {
  try {
    await recordDeletion(pictures, deletion, nowMs)
  } catch (error) {
    log('error', 'deletion not recorded for a restore', { ...deletion, error })
  }
}

/**
 * Lists deletions, oldest first. `after` is a time or the previous page's `last`, which is null after the last page.
 */
export async function listDeletions(pictures: R2Bucket, after: number | string, limit: number) {
  const startAfter = typeof after === 'number' ? keyFrom(after) : after
  const { objects, truncated } = await pictures.list({ prefix, startAfter, limit })
  const last = truncated ? (objects.at(-1)?.key ?? null) : null
  return { deletions: objects.map(({ key }) => deletionOf(key)), last }
}

/** Removes records that are too old for any restore. */
export async function forgetOldDeletions(pictures: R2Bucket, nowMs: number): Promise<void> {
  const { objects } = await pictures.list({ prefix })
  const old = objects.map(({ key }) => key).filter((key) => key < keyFrom(nowMs - keptMs))
  if (old.length > 0) await pictures.delete(old)
}
