import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import { roles } from '../platform/db/schema.ts'
import { roleNotAllowed } from './account-errors.ts'

export type Role = (typeof roles)[number]

export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

/**
 * The least role that may use each route of the dashboard and the account API. Routes that are not listed are for
 * owners. Pages use the same table to decide what they show.
 */
const leastRoles: ReadonlyMap<string, Role> = new Map(
  Object.entries({
    'GET /dashboard': 'reviewer',
    'GET /dashboard/build': 'editor',
    'GET /dashboard/garments': 'reviewer',
    'GET /dashboard/garments/count': 'reviewer',
    'GET /dashboard/garments/filters': 'reviewer',
    'POST /dashboard/garments/saved': 'reviewer',
    'POST /dashboard/garments/saved/remove': 'reviewer',
    'GET /dashboard/garment': 'reviewer',
    'POST /dashboard/garment': 'reviewer',
    'POST /dashboard/correct/undo': 'reviewer',
    'GET /dashboard/review': 'reviewer',
    'POST /dashboard/review': 'reviewer',
    'POST /dashboard/review/next': 'reviewer',
    'GET /dashboard/review/count': 'reviewer',
    'GET /dashboard/accuracy': 'reviewer',
    'GET /dashboard/style': 'reviewer',
    'GET /dashboard/account': 'reviewer',
    'POST /dashboard/account/password': 'reviewer',
    'POST /dashboard/account/details': 'reviewer',
    'POST /dashboard/account/sign-out': 'reviewer',
    'PUT /merchant/password': 'reviewer',
    'POST /merchant/sign-out': 'reviewer',
    'GET /merchant/tenant': 'reviewer',

    'GET /dashboard/upload': 'editor',
    'POST /dashboard/upload': 'editor',
    'POST /dashboard/garment/pictures': 'editor',
    'POST /dashboard/garment/pictures/add': 'editor',
    'POST /dashboard/garment/pictures/cutout': 'editor',
    'POST /dashboard/garment/split': 'editor',
    'GET /dashboard/garment/merge': 'editor',
    'POST /dashboard/garment/merge': 'editor',
    'POST /dashboard/garments/merge': 'editor',
    'POST /dashboard/garment/retry': 'editor',
    'POST /dashboard/garment/retry/file': 'editor',
    'POST /dashboard/garment/delete': 'editor',
    'POST /dashboard/garments/labels': 'editor',
    'GET /dashboard/garments/labels/blank': 'editor',
    'POST /dashboard/garments/labels/blank': 'editor',
    'GET /dashboard/garments/numbers': 'editor',
    'GET /dashboard/bin': 'editor',
    'GET /dashboard/bin/thumbnail': 'editor',
    'POST /dashboard/bin/restore': 'editor',
    'POST /dashboard/bin/erase': 'editor',
    'POST /dashboard/edit': 'editor',
    'POST /dashboard/edit/undo': 'editor',
    'POST /dashboard/garments/cells': 'editor',
    'POST /dashboard/garments/delete': 'editor',
    'POST /dashboard/review/attributes': 'editor',
    'GET /dashboard/imports': 'editor',
    'POST /dashboard/imports': 'editor',
    'POST /dashboard/imports/file': 'editor',
    'GET /dashboard/imports/template.csv': 'editor',
    'GET /dashboard/import/:id': 'editor',
    'GET /dashboard/import/:id/lines': 'editor',
    'GET /dashboard/import/:id/report.csv': 'editor',
    'POST /dashboard/import/:id/pause': 'editor',
    'POST /dashboard/import/:id/resume': 'editor',
    'POST /dashboard/import/:id/overwrite': 'editor',
    'POST /dashboard/import/:id/answer': 'editor',
    'POST /dashboard/import/:id/undo': 'editor',
    'POST /dashboard/import/:id/delete': 'editor',
    'POST /dashboard/imports/delete': 'editor',
    'GET /dashboard/export': 'editor',
    'POST /dashboard/export/file': 'editor',
    'POST /dashboard/export/defaults': 'editor',
    'GET /dashboard/export/vinted': 'editor',
    'POST /dashboard/export/vinted': 'editor',
    'GET /dashboard/export/columns': 'editor',
    'POST /dashboard/export/columns': 'editor',
    'POST /dashboard/export/columns/remove': 'editor',
    'GET /dashboard/deliveries': 'editor',
    'POST /dashboard/deliveries/redeliver': 'editor',
    'GET /dashboard/delivery': 'editor',
    'POST /dashboard/delivery': 'editor',
    'GET /dashboard/usage': 'editor',
    'GET /merchant/tenant/usage': 'editor',
    'GET /dashboard/tenant': 'editor',
    'POST /dashboard/tenant/studios': 'editor',
    'POST /dashboard/tenant/studios/photograph': 'editor',
    'POST /dashboard/tenant/studios/remove': 'editor',
  } satisfies Readonly<Record<string, Role>>),
)

/** Ignores the patterns of a route's parameters. */
export const leastRoleOf = (route: string): Role => leastRoles.get(route.replaceAll(/\{[^/]*\}/g, '')) ?? 'owner'

export const mayUse = (role: Role, route: string): boolean => isAtLeast(role, leastRoleOf(route))

/** Throws 403 unless the role may use every route of the request. Returns the least role that may use them all. */
export function requireRole(c: Context, role: Role): Role {
  let needed: Role = 'reviewer'
  for (const { method, path } of matchedRoutes(c)) {
    // Skips middlewares and the routes that answer 404 and 405.
    if (method === 'ALL') continue
    const least = leastRoleOf(`${method} ${path}`)
    if (!isAtLeast(role, least)) throw roleNotAllowed(role, least)
    if (!isAtLeast(needed, least)) needed = least
  }
  return needed
}
