import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../router.ts'
import {
  bodyTooLarge,
  invalidBody,
  invalidQuery,
  invalidToken,
  notFound,
  notJson,
  notOperator,
  rateLimited,
  tooManyChanges,
  unauthorized,
} from '../common-errors.ts'
import { describeFailures, type Failures } from '../envelope.ts'
import { internalError, malformedBody, noRoom, overloaded } from '../errors.ts'
import { headerReferences } from './headers.ts'
import type { securitySchemes } from './security.ts'

export type OpenApiDocument = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>
type PathItem = NonNullable<OpenApiDocument['paths']>[string]
export type Operation = NonNullable<PathItem['get']>

/** A response as a route declares it. */
interface DeclaredResponse {
  readonly description: string
  readonly headers?: object
  readonly content?: Readonly<Record<string, { readonly examples?: Readonly<Record<string, object>> }>>
}

const failureReference = { $ref: '#/components/schemas/Failure' }

const always: Failures = [internalError(), overloaded()]

const withInput: Failures = [invalidQuery(['uuid: must not be empty'])]

const withBody: Failures = [
  malformedBody(),
  invalidBody(['name: must not be empty']),
  bodyTooLarge(),
  notJson(),
  noRoom(),
]

/** What the check of credentials can answer. */
const withSecurity: Readonly<Record<Exclude<keyof typeof securitySchemes, 'Domain'>, Failures>> = {
  ApiKey: [unauthorized(), rateLimited(6, 42_000)],
  AccessToken: [invalidToken()],
  OperatorToken: [notOperator(), notFound()],
}

type Scheme = keyof typeof withSecurity

const schemeOf = ({ security = [] }: Operation) => Object.keys(security[0] ?? {})[0] as Scheme | undefined

const takesJson = ({ requestBody }: Operation) =>
  requestBody !== undefined && 'content' in requestBody && 'application/json' in requestBody.content

function commonFailures(operation: Operation, isRead: boolean): Failures {
  const scheme = schemeOf(operation)
  const hasQuery = operation.parameters?.some((parameter) => 'in' in parameter && parameter.in === 'query')
  return [
    ...(takesJson(operation) ? withBody : hasQuery ? withInput : []),
    ...(scheme === undefined ? [] : withSecurity[scheme]),
    ...(scheme === 'AccessToken' && !isRead ? [tooManyChanges(42_000)] : []),
    // It names what fails by itself.
    ...(operation.operationId === 'checkHealth' ? [] : always),
  ]
}

function headersOf(status: number, scheme: Scheme | undefined) {
  const isCounted = scheme === 'ApiKey' && status !== 401
  return headerReferences([
    'X-Request-Id',
    ...(isCounted ? (['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
    ...(scheme === 'AccessToken' && status === 401 ? (['WWW-Authenticate'] as const) : []),
  ])
}

/** The declared response with further causes of the same status. */
function mergeResponses(declared: DeclaredResponse | undefined, common: ReturnType<typeof describeFailures>[string]) {
  if (declared === undefined) return common
  const json = common.content['application/json']
  const examples = { ...declared.content?.['application/json']?.examples, ...json.examples }
  return {
    description: `${declared.description}; ${common.description}`,
    content: { 'application/json': { ...json, examples } },
  }
}

/** Adds the failures and headers that all endpoints with the same kind of credentials and input have in common. */
export function completeOperation(operation: Operation, isRead: boolean): void {
  const responses: Record<string, DeclaredResponse> = operation.responses ?? {}
  for (const [status, common] of Object.entries(describeFailures(commonFailures(operation, isRead), failureReference)))
    responses[status] = mergeResponses(responses[status], common)
  for (const [status, response] of Object.entries(responses))
    responses[status] = {
      ...response,
      headers: { ...headersOf(Number(status), schemeOf(operation)), ...response.headers },
    }
}
