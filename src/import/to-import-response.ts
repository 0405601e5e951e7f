import type { z } from '@hono/zod-openapi'
import { toRetryResponse } from '../garment/errors/retry.ts'
import { toIso } from '../time.ts'
import type { importSchema } from './fields.ts'
import { storedAttribute, type getImport } from './get-import.ts'

export type ImportResponse = z.infer<typeof importSchema>

/** An import with a page of its lines. */
export function toImportResponse({
  import: row,
  lines,
  nextAfter,
}: Awaited<ReturnType<typeof getImport>>): ImportResponse {
  const { waiting, tagging, complete, failed, unchanged, refused } = row
  return {
    id: row.id,
    name: row.name,
    paused: row.paused,
    done: row.endedAt !== null,
    totals: {
      lines: waiting + tagging + complete + failed + unchanged + refused,
      waiting,
      tagging,
      complete,
      failed,
      unchanged,
      refused,
    },
    created_at: toIso(row.createdAt),
    ended_at: row.endedAt === null ? null : toIso(row.endedAt),
    lines: lines.map(({ line, uuid, imageUrl, attribute, status, problem, failedTry }) => {
      const retry = toRetryResponse(failedTry ?? '')
      return {
        line,
        uuid,
        image_url: imageUrl,
        attribute: storedAttribute(attribute),
        status,
        problem,
        ...(retry && { retry }),
      }
    }),
    next_cursor: nextAfter === null ? null : String(nextAfter),
  }
}
