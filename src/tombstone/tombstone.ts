import { log } from '../log.ts'

/**
 * Records of deletions outside the databases. A restored database brings deleted rows back, and only these records show
 * that they must be deleted again. Ids are never reused, so the records stay for as long as there may be a copy to
 * restore.
 */
export const tombstoneKinds = ['tenant', 'merchant', 'api-key'] as const

type Tombstone = (typeof tombstoneKinds)[number]

const prefixOf = (kind: Tombstone) => `deleted/${kind}/`

/** Safe to repeat. Stands after the deletion, so that nothing that exists has a record. */
export async function putTombstone(pictures: R2Bucket, kind: Tombstone, id: string): Promise<void> {
  await pictures.put(prefixOf(kind) + id, '')
}

/** The same beside a deletion that has succeeded, which a failure here does not undo. */
export async function tryToPutTombstone(pictures: R2Bucket, kind: Tombstone, id: string): Promise<void> {
  try {
    await putTombstone(pictures, kind, id)
  } catch (error) {
    log('error', 'deletion not recorded for a restore', { kind, id, error })
  }
}

/** At most 1,000 ids, and where the next begin. */
export async function listTombstones(pictures: R2Bucket, kind: Tombstone, cursor: string | undefined) {
  const prefix = prefixOf(kind)
  const page = await pictures.list({ prefix, ...(cursor === undefined ? {} : { cursor }) })
  return {
    ids: page.objects.map(({ key }) => key.slice(prefix.length)),
    cursor: page.truncated ? page.cursor : undefined,
  }
}
