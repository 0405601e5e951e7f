import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../router.ts'
import { describeFailure, type Failures } from '../envelope.ts'
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

const always: Failures = {
  500: [['Internal error', 'Something went wrong on our side; nothing you sent caused it.']],
  503: [['Service overloaded', 'The service is busy; try again in a moment.']],
}

const withInput: Failures = { 400: [['Invalid request', 'uuid: must not be empty']] }

const withBody: Failures = {
  400: [
    ['Malformed request', 'The body is not well-formed JSON.'],
    ['Invalid request', 'name: must not be empty'],
  ],
  413: [['Body too large', 'The body may have at most 64 KiB.']],
  415: [['Unsupported media type', 'Send the body with Content-Type: application/json.']],
}

/** What the check of credentials can answer. */
const withSecurity: Readonly<Record<Exclude<keyof typeof securitySchemes, 'Domain'>, Failures>> = {
  ApiKey: {
    401: [['Unauthorized', 'API-KEY and DOMAIN must be a live API key and the domain of its tenant.']],
    429: [['Too many requests', 'At most 6 requests per minute; retry in 42 s.']],
  },
  AccessToken: {
    401: [['Invalid or expired token', 'Authorization: sign in and send Bearer with data.token.']],
  },
  OperatorToken: {
    401: [['Unauthorized', 'Authorization: send Bearer with the OPERATOR_TOKEN.']],
    404: [['Not found', 'There is nothing at this path.']],
  },
}

type Scheme = keyof typeof withSecurity

const schemeOf = ({ security = [] }: Operation) => Object.keys(security[0] ?? {})[0] as Scheme | undefined

function commonFailures(operation: Operation): Failures[] {
  const scheme = schemeOf(operation)
  const hasQuery = operation.parameters?.some((parameter) => 'in' in parameter && parameter.in === 'query')
  return [
    ...(operation.requestBody === undefined ? (hasQuery ? [withInput] : []) : [withBody]),
    ...(scheme === undefined ? [] : [withSecurity[scheme]]),
    always,
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
function mergeResponses(declared: DeclaredResponse | undefined, common: ReturnType<typeof describeFailure>) {
  if (declared === undefined) return common
  const json = common.content['application/json']
  const examples = { ...declared.content?.['application/json']?.examples, ...json.examples }
  return {
    description: `${declared.description}; ${common.description}`,
    content: { 'application/json': { ...json, examples } },
  }
}

/** Adds the failures and headers that all endpoints with the same kind of credentials and input have in common. */
export function completeOperation(operation: Operation): void {
  const responses: Record<string, DeclaredResponse> = operation.responses ?? {}
  for (const failures of commonFailures(operation))
    for (const [status, causes] of Object.entries(failures))
      responses[status] = mergeResponses(responses[status], describeFailure(causes, failureReference))
  for (const [status, response] of Object.entries(responses))
    responses[status] = {
      ...response,
      headers: { ...headersOf(Number(status), schemeOf(operation)), ...response.headers },
    }
}
