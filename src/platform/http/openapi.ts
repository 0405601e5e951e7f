import type { OpenAPIHono } from '@hono/zod-openapi'
import { type AppEnv, securitySchemes } from './router.ts'
import {
  bodyTooLarge,
  internalError,
  invalidBody,
  invalidQuery,
  invalidToken,
  malformedBody,
  noRoom,
  notFound,
  notJson,
  notOperator,
  overloaded,
  rateLimited,
  tooManyChanges,
  unauthorized,
} from './errors.ts'
import { describeFailures, type Failures } from './envelope.ts'

const text = { type: 'string' } as const
const count = { type: 'integer', minimum: 0 } as const

const headers = {
  'X-Request-Id': {
    schema: text,
    description: 'Names the request in the log of the service.',
    example: '0f7f8d1c-6c1c-4a53-9c1e-0a3a54b5a1f2',
  },
  'RateLimit-Limit': {
    schema: count,
    description: 'Requests that are admitted per minute for the domain, over all garment endpoints together.',
    example: 6,
  },
  'RateLimit-Remaining': {
    schema: count,
    description: 'Requests that are still admitted at the moment.',
    example: 5,
  },
  'RateLimit-Reset': {
    schema: count,
    description: 'Seconds until the oldest counted request leaves the window of a minute.',
    example: 60,
  },
  'Retry-After': {
    schema: count,
    description: 'Seconds after which to send the request again.',
    example: 42,
  },
  'WWW-Authenticate': { required: true, schema: text, description: 'How to authenticate.', example: 'Bearer' },
} as const

type HeaderName = keyof typeof headers

const headerReferences = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export type OpenApiDocument = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>
type PathItem = NonNullable<OpenApiDocument['paths']>[string]
type Operation = NonNullable<PathItem['get']>

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

/** Failures that the check of credentials may answer. */
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
    // The health check shares no failures with other endpoints.
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

function mergeResponses(declared: DeclaredResponse | undefined, common: ReturnType<typeof describeFailures>[string]) {
  if (declared === undefined) return common
  const json = common.content['application/json']
  const examples = { ...declared.content?.['application/json']?.examples, ...json.examples }
  return {
    description: `${declared.description}; ${common.description}`,
    content: { 'application/json': { ...json, examples } },
  }
}

/** Adds the failures and headers of all endpoints with the same kind of credentials and input. */
function completeOperation(operation: Operation, isRead: boolean): void {
  const responses: Record<string, DeclaredResponse> = operation.responses ?? {}
  for (const [status, common] of Object.entries(describeFailures(commonFailures(operation, isRead), failureReference)))
    responses[status] = mergeResponses(responses[status], common)
  for (const [status, response] of Object.entries(responses))
    responses[status] = {
      ...response,
      headers: { ...headersOf(Number(status), schemeOf(operation)), ...response.headers },
    }
}

const about = `Tags pictures of garments: send the URL of a picture, and receive its tags, measurements and description by
polling or by a signed webhook.

Every JSON response is the envelope \`{status, data, error, message}\`. Success is always HTTP 200 with the message
\`success!\`. A failure lists in \`error\` what to fix, and names itself in \`code\`. An unknown path is 404, and a method that a path does not have is
405 with \`Allow\`; both are envelopes too.

Only the latest version is supported. Additions never change the meaning of what exists, so ignore fields that you do not
know.`

/** Tags in the order of the documentation. */
const tags = [
  {
    name: 'Accounts',
    paths: /^\/merchant/,
    description: "Merchants, a merchant's one tenant, and the API keys that act for it.",
  },
  {
    name: 'Garments',
    paths: /^\/garment-tagging\/(?!import|webhook)/,
    description: 'Uploading pictures, and reading, correcting and exporting the results.',
  },
  { name: 'Imports', paths: /^\/garment-tagging\/import/, description: 'Many garments in one request.' },
  {
    name: 'Webhook',
    paths: /^\/garment-tagging\/webhook/,
    description: 'Endpoints that receive results, and the deliveries to them.',
  },
  {
    name: 'Operator',
    paths: /^\/(health|operator|status)/,
    description: 'For operators and monitors. Without `OPERATOR_TOKEN`, only `/health` exists.',
  },
]

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const

/** Builds the OpenAPI document from the schemas that validate requests. */
export function describeApi(app: OpenAPIHono<AppEnv>, origin: string): OpenApiDocument {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Garment tagging',
      version: 'latest',
      description: about,
      contact: { name: 'Documentation', url: `${origin}/docs/` },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: origin }],
    tags: tags.map(({ name, description }) => ({ name, description })),
  })
  // The generator adds a slash to event names.
  const webhooks = Object.entries(document.webhooks ?? {})
  document.webhooks = Object.fromEntries(webhooks.map(([name, event]) => [name.replace(/^\//, ''), event]))
  document.components = { ...document.components, headers, securitySchemes }
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const method of methods) {
      const operation = item[method]
      if (operation === undefined) continue
      operation.tags = tags.flatMap(({ name, paths }) => (paths.test(path) ? [name] : []))
      completeOperation(operation, method === 'get')
    }
  return document
}

/** Serves the OpenAPI document without an envelope. Caches the text for the latest origin. */
export function serveOpenApi(app: OpenAPIHono<AppEnv>): void {
  let last = { origin: '', text: '' }
  app.get('/openapi.json', (c) => {
    const { origin } = new URL(c.req.url)
    if (last.origin !== origin) last = { origin, text: JSON.stringify(describeApi(app, origin)) }
    return c.body(last.text, 200, { 'Content-Type': 'application/vnd.oai.openapi+json' })
  })
}
