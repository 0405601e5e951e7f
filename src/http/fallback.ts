import type { Context, Env, Hono } from 'hono'
import { methodNotAllowed, notFound } from './common-errors.ts'
import { respondWithError } from './errors.ts'

/** Answers 405 with `Allow` for every method that a path has no route for. Call it after the last route. */
export function refuseOtherMethods<E extends Env>(app: Hono<E>): void {
  const methodsByPath = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue
    const methods = methodsByPath.get(path) ?? new Set()
    methodsByPath.set(path, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }
  for (const [path, methods] of methodsByPath) {
    const allow = [...methods].join(', ')
    app.all(path, (c) => {
      throw methodNotAllowed(c.req.path, c.req.method, allow)
    })
  }
}

export function respondNotFound(c: Context): Response {
  return respondWithError(notFound(), c)
}
