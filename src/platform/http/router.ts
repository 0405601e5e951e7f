import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Database } from '../db/database.ts'
import { boundName } from '../limits/bound-text.ts'
import { invalidBody, invalidQuery } from './errors.ts'
import { findNearMisses, nearMissSentence, toProblems, type ValidationResult } from './validation.ts'

export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    /** Set by the middleware that checks the access token. */
    merchantId: string
    /** Set by the gate, like the next three. */
    tenantId: string
    /** A session of the tenant's database if the request may change something. */
    db: Database
    apiKeyId: string
    /** Database bookmark after the tenant's last change through the API. */
    bookmark: string | undefined
    /** The request's garment, for the log line. */
    uuid?: string
    /** Successful views of public pictures have no log line. */
    isPictureView?: boolean
  }
}

/** Creates a router that answers all problems of a request in one 400. */
export function createRouter() {
  const router = new OpenAPIHono<AppEnv>()
  const { openapi } = router
  const withHook: (...args: Parameters<typeof openapi>) => unknown = (route, handler, hook) =>
    openapi(route, handler, rejectMisspelled(route, (hook ?? rejectRequest(fieldsOf(route))) as Hook) as typeof hook)
  router.openapi = withHook as typeof openapi
  return router
}

type Hook = (result: ValidationResult & { readonly target: string }, c: Context<AppEnv>) => unknown

/**
 * Refuses unknown query parameters, because a misspelled filter would list everything. Public routes accept them,
 * because monitors add some.
 */
function rejectMisspelled({ request, security }: RouteConfig, hook: Hook): Hook {
  if (security?.length === 0) return hook
  const { query } = request ?? {}
  const fields = query instanceof z.ZodObject ? Object.keys(query.shape as object) : []
  return async (result, c) => {
    if (result.target === 'query') {
      const problems = unknownParameters(c.req.query(), fields)
      if (problems.length > 0) throw invalidQuery([...problems, ...(result.success ? [] : toProblems(result.error))])
    }
    return await hook(result, c)
  }
}

const maxNamed = 10

function unknownParameters(query: Readonly<Record<string, string>>, fields: readonly string[]): string[] {
  const nearMisses = findNearMisses(query, fields)
  const isUnknown = (field: string) => !fields.includes(field) && nearMisses.every(({ name }) => name !== field)
  const others = Object.keys(query).filter(isUnknown).slice(0, maxNamed)
  return [
    ...nearMisses.map(nearMissSentence),
    ...others.map((name) => `${boundName(name)}: is not a parameter. Known parameters: ${fields.join(', ')}`),
  ]
}

function fieldsOf({ request }: RouteConfig): string[] {
  const content = request?.body?.content['application/json']
  const schema = content !== undefined && 'schema' in content ? content.schema : undefined
  return schema instanceof z.ZodObject ? Object.keys(schema.shape as object) : []
}

/** Hono calls the handler for undefined, which the type of a hook does not allow. */
const proceed = undefined as never

/** Finds problems that a schema does not check, to report all together. */
export type MoreProblems = (body: Readonly<Record<string, unknown>>, c: Context<AppEnv>) => readonly string[]

/**
 * Throws 400 with every problem of a request. Ignores unknown fields of a body, except near misses of absent fields.
 */
export const rejectRequest =
  (fields: readonly string[], moreProblems: MoreProblems = () => []) =>
  async (result: ValidationResult & { readonly target: string }, c: Context<AppEnv>): Promise<never> => {
    const problems = result.success ? [] : toProblems(result.error)
    if (result.target !== 'json') {
      if (problems.length > 0) throw invalidQuery(problems)
      return proceed
    }
    const body = await c.req.json<unknown>()
    const object = isObject(body) ? body : {}
    problems.push(...findNearMisses(object, fields).map(nearMissSentence))
    if (problems.length > 0) throw invalidBody([...problems, ...moreProblems(object, c)])
    return proceed
  }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values of a route's `security`. */
export const byAnyone: [] = []
export const byApiKey = [{ ApiKey: [], Domain: [] }]
export const byAccessToken = [{ AccessToken: [] }]
export const byOperator = [{ OperatorToken: [] }]

export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'API-KEY',
    description: 'An API key of the tenant. It is created in the dashboard or by `POST /merchant/tenant/api-key`.',
  },
  Domain: { type: 'apiKey', in: 'header', name: 'DOMAIN', description: "The tenant's domain." },
  AccessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `data.token` of `POST /merchant/sign-in`, valid for one hour.',
  },
  OperatorToken: { type: 'http', scheme: 'bearer', description: 'The `OPERATOR_TOKEN` of the service.' },
} as const
