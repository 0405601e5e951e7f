import type { Database } from '../db/client.ts'
import { walkGarments, type WalkedGarments } from './walk-garments.ts'

/** Of the 1,000 queries that the platform allows a request, this takes a fifth. */
const maxLookedThrough = 20_000

interface Collected {
  readonly uuids: readonly string[]
  /** Whether there may be more garments than were read. */
  readonly hasMore: boolean
}

/** The uuids of a tenant's complete garments that match the filter, oldest first, up to a limit. */
export async function collectUuids(
  db: Database,
  tenantId: string,
  filter: WalkedGarments,
  limit: number,
): Promise<Collected> {
  const uuids: string[] = []
  const lookedThrough = { count: 0 }
  for await (const garments of walkGarments(
    db,
    tenantId,
    { ...filter, status: 'complete' },
    undefined,
    lookedThrough,
  )) {
    if (uuids.length + garments.length > limit) return { uuids, hasMore: true }
    uuids.push(...garments.map(({ uuid }) => uuid))
    if (lookedThrough.count >= maxLookedThrough) return { uuids, hasMore: true }
  }
  return { uuids, hasMore: false }
}
