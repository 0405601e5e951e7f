import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../platform/db/database.ts'
import { members } from '../platform/db/schema.ts'
import { ApiError } from '../platform/http/errors.ts'

export const savedFilterSchema = z.object({
  name: z.string().trim().min(1, 'must not be empty').max(40, 'must be at most 40 characters'),
  /** Query parameters of the garment list. */
  query: z.string().min(1, 'must contain a filter').max(1000, 'must be at most 1,000 characters'),
})

export type SavedFilter = z.infer<typeof savedFilterSchema>

const maxFilters = 10

export const parseSavedFilters = (stored: string | null): readonly SavedFilter[] =>
  stored === null ? [] : z.array(savedFilterSchema).parse(JSON.parse(stored))

export async function putSavedFilter(
  db: Database,
  memberId: string,
  saved: readonly SavedFilter[],
  filter: SavedFilter,
): Promise<void> {
  const filters = [...saved.filter(({ name }) => name !== filter.name), filter]
  if (filters.length > maxFilters)
    throw new ApiError('invalid_body', 'Too many saved filters', [
      `name: remove one of your ${maxFilters} filters first`,
    ])
  await store(db, memberId, filters)
}

export const deleteSavedFilter = async (db: Database, memberId: string, saved: readonly SavedFilter[], name: string) =>
  await store(
    db,
    memberId,
    saved.filter((each) => each.name !== name),
  )

const store = async (db: Database, memberId: string, filters: readonly SavedFilter[]) =>
  await db
    .update(members)
    .set({ savedFilters: JSON.stringify(filters) })
    .where(eq(members.id, memberId))
