import { z } from '@hono/zod-openapi'
import { eq, sql, type SQL } from 'drizzle-orm'
import { recordEntry, type Made } from '../audit/record-entry.ts'
import type { Database } from '../db/client.ts'
import { tenantState } from '../db/schema.ts'

/** A tenant's choice. */
export const permissionSchema = z
  .object({
    allowed: z
      .boolean('must be true or false')
      .openapi({ description: 'Whether pictures may be sent to a model of Workers AI.' }),
  })
  .openapi('SecondOpinionChoice')

/** Whether pictures of the tenant may be sent to a model, for the statement that reads the work. */
export const allowsOpinion = (tenantId: string): SQL<number> =>
  sql<number>`NOT EXISTS (
    SELECT 1 FROM ${tenantState} AS host WHERE host.tenant_id = ${tenantId} AND host.allows_opinion = 0
  )`

export const permissionQuery = (db: Database, tenantId: string) =>
  db.select({ allows: tenantState.allowsOpinion }).from(tenantState).where(eq(tenantState.tenantId, tenantId))

/** Takes effect with the next garment that is tagged. */
export async function putPermission(db: Database, tenantId: string, allowsOpinion: boolean, made: Made): Promise<void> {
  const entry = {
    holderId: tenantId,
    action: 'second-opinion.changed',
    subject: allowsOpinion ? 'allowed' : 'forbidden',
  } as const
  await db.batch([
    db.update(tenantState).set({ allowsOpinion }).where(eq(tenantState.tenantId, tenantId)),
    ...recordEntry(db, entry, made),
  ])
}
