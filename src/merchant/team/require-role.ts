import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import { roleNotAllowed } from './errors.ts'
import { leastRoleOf } from './permissions.ts'
import { isAtLeast, type Role } from './roles.ts'

/**
 * Throws 403 unless the role may use every route that the request has reached. Returns the least role that may use
 * them all.
 */
export function requireRole(c: Context, role: Role): Role {
  let needed: Role = 'reviewer'
  for (const { method, path } of matchedRoutes(c)) {
    // Middlewares, and the answers to unknown paths and methods.
    if (method === 'ALL') continue
    const least = leastRoleOf(`${method} ${path}`)
    if (!isAtLeast(role, least)) throw roleNotAllowed(role, least)
    if (!isAtLeast(needed, least)) needed = least
  }
  return needed
}
