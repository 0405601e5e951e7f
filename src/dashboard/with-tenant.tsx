import { createMiddleware } from 'hono/factory'
import type { Section } from './parts/layout.tsx'
import { render } from './parts/render.tsx'
import { Empty, Heading } from './parts/text.tsx'
import type { DashboardEnv } from './viewer.ts'

/** Lets merchants that have a tenant through; others are told what the page will show once they have. */
export const withTenant = (section: Section, title: string, promise: string) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const { tenant } = c.get('viewer')
    if (tenant === null)
      return await render(
        c,
        { title, section },
        <>
          <Heading title={title} />
          <Empty title="Create your tenant first">
            <p>{promise}</p>
            <p>
              <a class="button" href="/dashboard/tenant">
                Create a tenant
              </a>
            </p>
          </Empty>
        </>,
      )
    c.set('tenant', tenant)
    await next()
  })
