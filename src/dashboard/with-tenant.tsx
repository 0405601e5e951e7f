import { createMiddleware } from 'hono/factory'
import { tenantDatabase } from '../platform/db/databases.ts'
import { Allowed } from './parts/actions.tsx'
import { render, type Section } from './parts/layout.tsx'
import { Empty, Heading } from './parts/text.tsx'
import { garmentsPath } from './paths.ts'
import type { DashboardEnv } from './viewer.ts'

/** Requires a tenant. Without one the page shows `hint` and a link to create a tenant. */
export const withTenant = (section: Section, title: string, hint: string) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const { tenant } = c.get('viewer')
    if (tenant === null)
      return await render(
        c,
        { title, section },
        <>
          <Heading title={title} />
          <Empty title="You have no shop yet">
            <Allowed to="POST /dashboard/tenant" otherwise={<p>An owner of the account has to create one.</p>}>
              <p>{hint}</p>
              <p>
                <a class="button" href="/dashboard/tenant">
                  Create your shop
                </a>
              </p>
            </Allowed>
          </Empty>
        </>,
      )
    c.set('tenant', tenant)
    c.set('db', tenantDatabase(c.env, tenant.id))
    await next()
  })

export const forGarments = withTenant(garmentsPath, 'Garments', 'Create your shop to upload garments.')
