import type { Child } from 'hono/jsx'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { mayUse, type Role } from '../../accounts/permissions.ts'
import { listValues, type ListValues } from '../garments/garment-filter.tsx'
import { buildPath, exportPath, garmentsPath } from '../paths.ts'
import { type DashboardEnv, remember, type Viewer } from '../viewer.ts'
import { DoneToast } from './done-toast.tsx'
import { Form } from './form-fields.tsx'
import { ButtonLink, CurrentViewer } from './elements.tsx'

const Logo = () => (
  <svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d="M3 12.2V4.6C3 3.7 3.7 3 4.6 3h7.6c.5 0 .9.2 1.2.5l7.1 7.1a1.7 1.7 0 0 1 0 2.4l-7.5 7.5a1.7 1.7 0 0 1-2.4 0l-7.1-7.1a1.7 1.7 0 0 1-.5-1.2Z" />
    <circle class="eyelet" cx="7.8" cy="7.8" r="1.7" />
  </svg>
)

/** The two menus: for sellers, and for developers who connect a system. Each begins with its own overview. */
const doors = {
  Sell: [
    ['/dashboard', 'Overview'],
    [garmentsPath, 'Garments'],
    ['/dashboard/review', 'Review'],
    ['/dashboard/imports', 'Add many'],
    [exportPath, 'Export'],
    ['/dashboard/team', 'Team'],
    ['/dashboard/tenant', 'Shop'],
    ['/dashboard/audit', 'Audit log'],
    ['/dashboard/account', 'Account'],
  ],
  Build: [
    [buildPath, 'Overview'],
    ['/dashboard/keys', 'API keys'],
    ['/dashboard/webhook', 'Webhook'],
    ['/dashboard/deliveries', 'Deliveries'],
    ['/dashboard/usage', 'Usage'],
  ],
} as const

type Door = keyof typeof doors

const styles = ['base', 'frame', 'controls', 'parts']

type Section = (typeof doors)[Door][number][0]

const doorOf = (section: Section | undefined): Door =>
  doors.Build.some(([path]) => path === section) ? 'Build' : 'Sell'

const SignInLinks = () => (
  <nav class="sign-in-links" aria-label="Account">
    <a href="/docs/">Docs</a>
    <a href="/dashboard/sign-in">Sign in</a>
    <ButtonLink to="/dashboard/sign-up">Create account</ButtonLink>
  </nav>
)

const doorNames = ['Sell', 'Build'] as const

const entriesFor = (role: Role, door: Door) => doors[door].filter(([path]) => mayUse(role, `GET ${path}`))

const Account = ({ viewer }: { viewer: Viewer }) => (
  <form class="account" method="post" action="/dashboard/sign-out">
    <span class="who" title={viewer.email}>
      {viewer.tenant?.name ?? viewer.email}
    </span>
    <a href="/docs/">Docs</a>
    <button class="quiet">Sign out</button>
  </form>
)

const Search = ({ list: { search = '', ...others } }: { list: ListValues }) => (
  <Form class="search" role="search" aria-label="Garments" method="get" action={garmentsPath} fields={others}>
    <label class="visually-hidden" for="search">
      Search garments
    </label>
    <input
      id="search"
      name="search"
      type="search"
      placeholder="Red dress size M"
      value={search}
      autocomplete="off"
      maxlength={128}
      aria-keyshortcuts="/"
    />
    <button class="plain">Search</button>
  </Form>
)

const Menu = ({ section, role }: { section: Section | undefined; role: Role }) => {
  const current = doorOf(section)
  return (
    <nav class="menu" aria-label="Dashboard">
      <div class="doors">
        {doorNames
          .filter((door) => entriesFor(role, door).length > 0)
          .map((door) => (
            <a href={entriesFor(role, door)[0]?.[0]} aria-current={door === current ? 'true' : undefined}>
              {door}
            </a>
          ))}
      </div>
      <ul>
        {entriesFor(role, current).map(([path, name]) => (
          <li>
            <a href={path} aria-current={path === section ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Entries of the bar at the bottom of a phone, with the lines of their icons in a square of 24. */
const tabs = [
  ['/dashboard', 'Overview', 'M4 11 12 4l8 7M6 10v9h12v-9'],
  [garmentsPath, 'Garments', 'M9 4a3 3 0 0 0 6 0l5 3-2 4-2-1v10H8V10l-2 1-2-4Z'],
  ['/dashboard/imports', 'Add', 'M12 5v14M5 12h14'],
  ['/dashboard/review', 'Review', 'm5 13 4 4L19 7'],
] as const

const Tabs = ({ section, role }: { section: Section | undefined; role: Role }) => {
  const shown = tabs.filter(([path]) => mayUse(role, `GET ${path}`))
  const rest = doorNames
    .flatMap((door) => entriesFor(role, door))
    .filter(([path]) => !shown.some(([tab]) => tab === path))
  return (
    <nav class="phone-bar" aria-label="Main">
      {shown.map(([path, name, icon]) => (
        <a href={path} class={name === 'Add' ? 'add' : undefined} aria-current={path === section ? 'page' : undefined}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={icon} />
          </svg>
          {name}
        </a>
      ))}
      <details name="more">
        <summary aria-current={rest.some(([path]) => path === section) ? 'page' : undefined}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M5 12h.01M12 12h.01M19 12h.01" />
          </svg>
          More
        </summary>
        <ul>
          {rest.map(([path, name]) => (
            <li>
              <a href={path} aria-current={path === section ? 'page' : undefined}>
                {path === buildPath ? 'Build' : name}
              </a>
            </li>
          ))}
          <li>
            <a href="/docs/">Docs</a>
          </li>
          <li>
            <form method="post" action="/dashboard/sign-out">
              <button class="plain">Sign out</button>
            </form>
          </li>
        </ul>
      </details>
    </nav>
  )
}

interface Page {
  readonly title: string
  readonly section?: Section
}

export async function render(c: Context<DashboardEnv>, { title, section }: Page, content: Child): Promise<Response> {
  const viewer: Viewer | undefined = c.get('viewer')
  if (viewer !== undefined && section !== undefined) remember(c, 'door', doorOf(section) === 'Build' ? 'build' : 'sell')
  const list = c.req.path === garmentsPath ? listValues(c.req.query()) : {}
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Garment Tagging`}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="preload" href="/assets/fonts/figtree.woff2" as="font" type="font/woff2" crossorigin="" />
        {styles.map((name) => (
          <link rel="stylesheet" href={`/assets/${name}.css`} />
        ))}
        <script src="/assets/scripts/dashboard.js" type="module"></script>
      </head>
      <body class={viewer === undefined ? 'signed-out' : 'signed-in'} data-domain={viewer?.tenant?.domain}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <a class="brand" href={viewer === undefined ? '/' : '/dashboard'}>
            <Logo />
            <span>Garment Tagging</span>
          </a>
          {viewer?.tenant && <Search list={list} />}
          {viewer === undefined ? <SignInLinks /> : <Account viewer={viewer} />}
        </header>
        {viewer !== undefined && <Menu section={section} role={viewer.role} />}
        <main id="main" tabindex={-1}>
          <CurrentViewer.Provider value={viewer}>
            {content}
            <DoneToast path={c.req.path} done={c.req.query('done')} binned={c.req.queries('binned') ?? []} />
          </CurrentViewer.Provider>
          <p class="visually-hidden" role="status" id="announcement"></p>
        </main>
        {viewer !== undefined && <Tabs section={section} role={viewer.role} />}
        {viewer?.tenant && <footer>Times are in {viewer.clock.zone.replaceAll('_', ' ')}.</footer>}
      </body>
    </html>
  )
  return await c.html(html`<!doctype html>${page}`)
}
