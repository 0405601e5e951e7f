import type { Hono } from 'hono'
import { eachRequest, utf8Address } from './each-request.ts'
import { respondWithError } from './errors.ts'
import { refuseOtherMethods, respondNotFound } from './fallback.ts'
import { type AppEnv, createRouter } from './router.ts'

/** Creates an app whose requests all get an id, a log line and JSON errors. */
export function createApp(add: (app: Hono<AppEnv>) => void): Hono<AppEnv> {
  const app = createRouter()
  app.use(eachRequest, utf8Address)
  app.onError(respondWithError)
  app.notFound(respondNotFound)
  add(app)
  refuseOtherMethods(app)
  return app
}
