import type { Child } from 'hono/jsx'
import type { Context } from 'hono'
import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { mayUse, type Role } from '../../accounts/permissions.ts'
import { garmentsPath } from '../paths.ts'
import type { DashboardEnv, Viewer } from '../viewer.ts'
import { ViewerRole } from './actions.tsx'

/** A clothing tag. */
const Logo = () => (
  <svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d="M3 12.2V4.6C3 3.7 3.7 3 4.6 3h7.6c.5 0 .9.2 1.2.5l7.1 7.1a1.7 1.7 0 0 1 0 2.4l-7.5 7.5a1.7 1.7 0 0 1-2.4 0l-7.1-7.1a1.7 1.7 0 0 1-.5-1.2Z" />
    <circle class="eyelet" cx="7.8" cy="7.8" r="1.7" />
  </svg>
)

const sections = [
  ['/dashboard', 'Overview'],
  [garmentsPath, 'Garments'],
  ['/dashboard/imports', 'Imports'],
  ['/dashboard/review', 'Review'],
  ['/dashboard/deliveries', 'Deliveries'],
  ['/dashboard/webhook', 'Webhook'],
  ['/dashboard/keys', 'API keys'],
  ['/dashboard/usage', 'Usage'],
  ['/dashboard/tenant', 'Tenant'],
  ['/dashboard/team', 'Team'],
  ['/dashboard/audit', 'Audit log'],
  ['/dashboard/account', 'Account'],
] as const

const styles = ['base', 'frame', 'blocks', 'controls', 'tables', 'garment', 'lines', 'pages']

export type Section = (typeof sections)[number][0]

interface LayoutProps {
  readonly title: string
  /** The menu entry that is marked as current. */
  readonly section?: Section | undefined
  readonly viewer?: Viewer | undefined
  readonly children?: Child
}

const Layout = ({ title, section, viewer, children }: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · Garment Tagging`}</title>
      <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      {styles.map((name) => (
        <link rel="stylesheet" href={`/assets/${name}.css`} />
      ))}
      <script src="/assets/scripts/dashboard.js" type="module"></script>
    </head>
    <body class={viewer === undefined ? 'signed-out' : 'signed-in'}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={viewer === undefined ? '/' : '/dashboard'}>
          <Logo />
          Garment Tagging
        </a>
        {viewer === undefined ? <SignInLinks /> : <Account viewer={viewer} />}
      </header>
      {viewer !== undefined && <Menu section={section} role={viewer.role} />}
      <main id="main" tabindex={-1}>
        {children}
        <p class="visually-hidden" role="status" id="announcement"></p>
      </main>
      {viewer?.tenant && <footer>Times are in {viewer.clock.zone.replaceAll('_', ' ')}.</footer>}
    </body>
  </html>
)

const SignInLinks = () => (
  <nav class="sign-in-links" aria-label="Account">
    <a href="/docs/">Docs</a>
    <a href="/dashboard/sign-in">Sign in</a>
    <a class="button" href="/dashboard/sign-up">
      Create account
    </a>
  </nav>
)

const Account = ({ viewer }: { viewer: Viewer }) => (
  <form class="account" method="post" action="/dashboard/sign-out">
    <span class="who" title={viewer.email}>
      {viewer.tenant?.domain ?? viewer.email}
    </span>
    <a href="/docs/">Docs</a>
    <button class="quiet">Sign out</button>
  </form>
)

const Menu = ({ section, role }: { section: Section | undefined; role: Role }) => (
  <nav class="menu" aria-label="Dashboard">
    <ul>
      {sections
        .filter(([path]) => mayUse(role, `GET ${path}`))
        .map(([path, name]) => (
          <li>
            <a href={path} aria-current={path === section ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
    </ul>
  </nav>
)

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
