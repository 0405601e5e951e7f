import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { DashboardEnv, Viewer } from '../viewer.ts'
import { ViewerRole } from './allowed.tsx'
import { Layout, type Section } from './layout.tsx'

export interface Page {
  readonly title: string
  readonly section?: Section
  readonly status?: ContentfulStatusCode
}

/** Responds with a complete page. */
export async function render(
  c: Context<DashboardEnv>,
  { title, section, status = 200 }: Page,
  content: Child,
): Promise<Response> {
  // Not set on pages for people who are not signed in.
  const viewer: Viewer | undefined = c.get('viewer')
  const page = (
    <Layout title={title} section={section} viewer={viewer}>
      <ViewerRole.Provider value={viewer?.role ?? 'reviewer'}>{content}</ViewerRole.Provider>
    </Layout>
  )
  return await c.html(html`<!doctype html>${page}`, status)
}
