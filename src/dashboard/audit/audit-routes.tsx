import { Hono } from 'hono'
import { listKeyNames } from '../../api-key/list-api-keys.ts'
import { listEntries } from '../../audit/list-entries.ts'
import { accountDatabase, tenantDatabase } from '../../db/databases/find-database.ts'
import { render } from '../parts/render.tsx'
import { auditPath } from '../paths.ts'
import type { DashboardEnv } from '../viewer.ts'
import { AuditPage } from './audit-page.tsx'

const pageSize = 50

export const auditPages = new Hono<DashboardEnv>()

auditPages.get(auditPath, async (c) => {
  const { id, tenant, clock } = c.get('viewer')
  const accounts = accountDatabase(c.env)
  const logs = [
    { db: accounts, holderId: id },
    ...(tenant === null ? [] : [{ db: tenantDatabase(c.env, tenant.id), holderId: tenant.id }]),
  ]
  const cursor = c.req.query('cursor')
  const [{ rows, nextCursor }, keyNames] = await Promise.all([
    listEntries(logs, { limit: pageSize, cursor }),
    tenant === null ? new Map<string, string>() : listKeyNames(accounts, tenant.id),
  ])
  const page = <AuditPage entries={rows} {...{ keyNames, cursor, nextCursor, clock }} />
  return await render(c, { title: 'Audit log', section: auditPath }, page)
})
