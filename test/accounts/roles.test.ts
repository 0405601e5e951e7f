import { describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { sessionOf } from '../dashboard/session-of.ts'
import { newMember, newTenant, raw } from '../service.ts'

/** What no session or token is needed for. */
const open = [
  'POST /merchant/sign-up',
  'POST /merchant/sign-in',
  'GET /dashboard/sign-up',
  'POST /dashboard/sign-up',
  'GET /dashboard/sign-in',
  'POST /dashboard/sign-in',
  'POST /dashboard/sign-out',
  'GET /dashboard/join',
  'POST /dashboard/join',
  'GET /dashboard/reset',
  'POST /dashboard/reset',
  'GET /dashboard/recover',
  'POST /dashboard/recover',
  'POST /dashboard/recover/email',
]

/**
 * What each role may do in addition to the one before; an owner may do the rest. Said apart from the service's table.
 */
const reviewer = [
  'GET /dashboard',
  'GET /dashboard/garments',
  'GET /dashboard/garments/count',
  'GET /dashboard/garments/filters',
  'POST /dashboard/garments/saved',
  'POST /dashboard/garments/saved/remove',
  'GET /dashboard/garment',
  'POST /dashboard/garment',
  'POST /dashboard/correct/undo',
  'GET /dashboard/review',
  'POST /dashboard/review',
  'POST /dashboard/review/next',
  'GET /dashboard/review/count',
  'GET /dashboard/accuracy',
  'GET /dashboard/style',
  'GET /dashboard/account',
  'POST /dashboard/account/password',
  'POST /dashboard/account/details',
  'POST /dashboard/account/sign-out',
  'PUT /merchant/password',
  'POST /merchant/sign-out',
  'GET /merchant/tenant',
]
const editor = [
  'GET /dashboard/build',
  'GET /dashboard/upload',
  'POST /dashboard/upload',
  'POST /dashboard/garment/pictures',
  'POST /dashboard/garment/pictures/add',
  'POST /dashboard/garment/pictures/cutout',
  'POST /dashboard/garment/split',
  'GET /dashboard/garment/merge',
  'POST /dashboard/garment/merge',
  'POST /dashboard/garments/merge',
  'POST /dashboard/garment/retry',
  'POST /dashboard/garment/retry/file',
  'POST /dashboard/garment/delete',
  'POST /dashboard/garments/labels',
  'GET /dashboard/garments/labels/blank',
  'POST /dashboard/garments/labels/blank',
  'GET /dashboard/garments/numbers',
  'GET /dashboard/bin',
  'GET /dashboard/bin/thumbnail',
  'POST /dashboard/bin/restore',
  'POST /dashboard/bin/erase',
  'POST /dashboard/garments/cells',
  'POST /dashboard/edit',
  'POST /dashboard/edit/undo',
  'POST /dashboard/garments/delete',
  'POST /dashboard/review/attributes',
  'GET /dashboard/imports',
  'POST /dashboard/imports',
  'POST /dashboard/imports/file',
  'GET /dashboard/imports/template.csv',
  'GET /dashboard/import/:id',
  'GET /dashboard/import/:id/lines',
  'GET /dashboard/import/:id/report.csv',
  'POST /dashboard/import/:id/pause',
  'POST /dashboard/import/:id/resume',
  'POST /dashboard/import/:id/overwrite',
  'POST /dashboard/import/:id/answer',
  'POST /dashboard/import/:id/undo',
  'POST /dashboard/import/:id/delete',
  'POST /dashboard/imports/delete',
  'GET /dashboard/export',
  'POST /dashboard/export/file',
  'POST /dashboard/export/defaults',
  'GET /dashboard/export/vinted',
  'POST /dashboard/export/vinted',
  'GET /dashboard/export/columns',
  'POST /dashboard/export/columns',
  'POST /dashboard/export/columns/remove',
  'GET /dashboard/deliveries',
  'POST /dashboard/deliveries/redeliver',
  'GET /dashboard/delivery',
  'POST /dashboard/delivery',
  'GET /dashboard/usage',
  'GET /merchant/tenant/usage',
  'GET /dashboard/tenant',
  'POST /dashboard/tenant/studios',
  'POST /dashboard/tenant/studios/photograph',
  'POST /dashboard/tenant/studios/remove',
]

/** Without the patterns of its parameters. */
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.replaceAll(/\{[^/]*\}/g, '')}`

const routes = [
  ...new Set(
    app.routes.filter(({ method, path }) => method !== 'ALL' && /^\/(dashboard|merchant)(\/|$)/.test(path)).map(nameOf),
  ),
].filter((route) => !open.includes(route))

/** A request that gets past the role and no further where it would change something. */
async function statusOf(route: string, headers: Record<string, string>) {
  const [method = '', path = ''] = route.split(' ')
  const body = method === 'POST' || method === 'PUT' ? '"no form, no object"' : undefined
  const { status } = await raw(
    method,
    path.replace(':id', crypto.randomUUID()),
    { ...headers, 'Content-Type': 'application/json' },
    body,
  )
  return status
}

it("every route in this test's lists of roles exists", () => {
  const missing = [...open, ...reviewer, ...editor].filter(
    (route) => !app.routes.some((mounted) => nameOf(mounted) === route),
  )
  expect(missing).toEqual([])
})

describe.each([
  ['reviewer', reviewer],
  ['editor', [...reviewer, ...editor]],
  ['owner', routes],
] as const)('a member who is %s', (role, allowed) => {
  it('may use exactly the routes of that role', async () => {
    const { merchant } = await newTenant()
    // What deletes is left to the owner's tests.
    const isDeletion = (route: string) => role === 'owner' && route.startsWith('DELETE ')
    const reader = await newMember(merchant.id, role)
    for (const route of routes.filter((each) => !isDeletion(each))) {
      // Some of the others end a session or the tenant, so each has a member of its own.
      const member = route.startsWith('GET ') ? reader : await newMember(merchant.id, role)
      const headers = route.includes(' /merchant') ? member.bearer : await sessionOf(merchant.id, Date.now(), member.id)
      const status = await statusOf(route, headers)
      expect([route, status === 403]).toEqual([route, !allowed.includes(route)])
      expect([route, status === 401]).toEqual([route, false])
    }
  })

  it('sees in the menu only what it may open', async () => {
    const { merchant } = await newTenant()
    const member = await newMember(merchant.id, role)
    const session = await sessionOf(merchant.id, Date.now(), member.id)
    const menuOf = async (path: string) =>
      /<nav class="menu".*?<\/nav>/s.exec(await (await raw('GET', path, session)).text())?.[0] ?? ''
    const menus = (await menuOf('/dashboard')) + (await menuOf('/dashboard/build'))
    const links = [...menus.matchAll(/href="([^"]+)"/g)].map(([, href]) => `GET ${href}`)
    expect(links).toContain('GET /dashboard/garments')
    expect(links.filter((link) => !allowed.includes(link))).toEqual([])
    const isComplete = role === 'owner'
    expect(links.includes('GET /dashboard/keys')).toBe(isComplete)
  })
})

it('without a session or a token, every other route asks to sign in', async () => {
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    const { status, headers } = await raw(method, path.replace(':id', crypto.randomUUID()), {
      Origin: 'http://service.test',
    })
    const signIn = path.startsWith('/dashboard') ? [303, true] : [401, false]
    const isSentThere = headers.get('location')?.startsWith('/dashboard/sign-in') ?? false
    expect([route, status, isSentThere]).toEqual([route, ...signIn])
  }
})

it('a role that was taken away is refused at the next request, and the page says what is needed', async () => {
  const { merchant } = await newTenant()
  const member = await newMember(merchant.id, 'reviewer')
  const response = await raw('GET', '/dashboard/keys', await sessionOf(merchant.id, Date.now(), member.id))
  expect(response.status).toBe(403)
  expect(await response.text()).toContain('This needs the role owner, and yours is reviewer.')
})
