import { describe, expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { type ErrorCode, errorCodes } from '../../src/platform/http/errors.ts'
import { bindings, call, newMerchant, newTenant, replaceDatabases } from '../service.ts'
import { wrapDatabase } from '../support/wrap-database.ts'
import { failureCodes, operations, problemsOf, type Operation } from './document.ts'
import { exchange, exercisedAnswers, operatorToken, scenario, type RequestParts, type Scenario } from './exchange.ts'
import { accountScenarios } from './scenarios/accounts.ts'
import { importScenarios } from './scenarios/imports.ts'
import { garmentScenarios } from './scenarios/garments.ts'
import { validRequests } from './scenarios/valid-requests.ts'
import { webhookScenarios } from './scenarios/webhook.ts'

const operator = { Authorization: `Bearer ${operatorToken}` }

/** The rate limit: requests of one tenant in a minute. */
const requestsOfTenant = 6

/** Returns a function that creates the credentials an endpoint needs. Requests that change nothing share a tenant. */
function credentialsOf({ scheme }: Operation): () => Promise<Record<string, string>> {
  if (scheme === 'OperatorToken') return async () => operator
  if (scheme === undefined) return async () => ({})
  let tenant: Awaited<ReturnType<typeof newTenant>> | undefined
  let requests = 0
  return async () => {
    if (tenant === undefined || requests % requestsOfTenant === 0) tenant = await newTenant()
    requests++
    return scheme === 'ApiKey' ? tenant.auth : tenant.merchant.bearer
  }
}

const failing = (message: string) =>
  replaceDatabases((database) => wrapDatabase(database, async () => await Promise.reject(new Error(message))))

const fullDatabase = 'D1_ERROR: Exceeded maximum DB size.'

/** For the endpoint that reads only the API key. */
const failingGate = (message: string) => ({
  GATE: { getByName: () => ({ enter: async () => await Promise.reject(new Error(message)) }) },
})

/** A throttle that has already counted 60 changes. */
const fullThrottle = { THROTTLE: { getByName: () => ({ enter: async () => 42_000 }) } }

/** Scenarios of failures that all endpoints of a kind share. */
function commonFailures(operation: Operation): Scenario[] {
  const { name, method, hasJsonBody, scheme } = operation
  const valid = validRequests[name] ?? {}
  const credentials = credentialsOf(operation)
  const fail = name === 'GET /garment-tagging/taxonomy' ? failingGate : failing
  const failure = (status: number, change: (headers: Record<string, string>) => RequestParts) =>
    scenario(name, status, async () => {
      const changed = change(await credentials())
      return { ...valid, ...changed, headers: { ...valid.headers, ...changed.headers } }
    })
  return [
    ...(scheme === undefined ? [] : [scenario(name, 401, async () => valid)]),
    ...(scheme === 'OperatorToken'
      ? [failure(404, (headers) => ({ headers, env: { OPERATOR_TOKEN: undefined } }))]
      : []),
    ...(scheme === 'AccessToken' && method !== 'GET'
      ? [failure(429, (headers) => ({ headers, env: fullThrottle }))]
      : []),
    ...(hasJsonBody
      ? [
          failure(400, (headers) => ({ headers, body: '{' })),
          failure(400, (headers) => ({ headers, body: '[]' })),
          failure(413, (headers) => ({ headers, body: { name: 'x'.repeat(70_000) } })),
          failure(415, (headers) => ({ headers: { ...headers, 'Content-Type': 'text/plain' } })),
          failure(507, (headers) => ({ headers, env: failing(fullDatabase) })),
        ]
      : []),
    ...(name === 'GET /health'
      ? []
      : [
          failure(500, (headers) => ({ headers, env: fail('D1_ERROR: something') })),
          failure(503, (headers) => ({ headers, env: fail('D1 DB is overloaded') })),
        ]),
  ]
}

/** Bodies of requests about something that exists. */
const operatorBodies: Readonly<Record<string, () => Promise<object>>> = {
  'POST /operator/password-reset': async () => ({ email: (await newMerchant()).email }),
  'PUT /operator/tenant': async () => ({ tenant: (await newTenant()).tenantId, max_files: 10 }),
}

const operatorScenarios = operations
  .filter(({ scheme }) => scheme === 'OperatorToken')
  .map(({ name }) =>
    scenario(name, 200, async () => {
      const body = await operatorBodies[name]?.()
      return { ...validRequests[name], ...(body && { body }), headers: operator }
    }),
  )

const unknownSubjects = Object.keys(operatorBodies).map((name) =>
  scenario(name, 404, async () => ({ ...validRequests[name], headers: operator })),
)

const healthScenarios = [
  scenario('GET /health', 200, async () => ({})),
  scenario('GET /health', 400, async () => ({ path: '/health?deep=1&deep=2' })),
  scenario('GET /health', 503, async () => ({ path: '/health?deep=1', env: failing('D1_ERROR: something') })),
]

/** The only endpoint that stores a body that is not JSON. */
const importWithoutRoom = scenario('POST /garment-tagging/import', 507, async () => {
  const { headers, ...request } = validRequests['POST /garment-tagging/import'] ?? {}
  return { ...request, headers: { ...headers, ...(await newTenant()).auth }, env: failing(fullDatabase) }
})

const scenarios = [
  ...unknownSubjects,
  importWithoutRoom,
  ...operations.flatMap(commonFailures),
  ...accountScenarios,
  ...garmentScenarios,
  ...importScenarios,
  ...webhookScenarios,
  ...operatorScenarios,
  ...healthScenarios,
]

describe.each(operations)('$name', (operation) => {
  it('answer every kind of request as the OpenAPI document says', async () => {
    for (const { status, prepare } of scenarios.filter((each) => each.operation === operation.name))
      expect(await exchange(operation.name, await prepare())).toBe(status)
  })
})

it('above the rate limit every garment endpoint answers as the OpenAPI document says', async () => {
  const { auth } = await newTenant()
  for (let i = 0; i < 6; i++) await call('GET', '/garment-tagging/webhook/config', auth)
  for (const { name } of operations.filter(({ scheme }) => scheme === 'ApiKey'))
    expect(await exchange(name, { ...validRequests[name], headers: auth })).toBe(429)
})

it('the tests exercise every endpoint with every status and code of the OpenAPI document', () => {
  const described = operations.flatMap(({ name, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const examples = Object.values(content?.['application/json']?.examples ?? {})
      const codes = examples.length === 0 ? [''] : examples.map(({ value }) => ` ${value.code}`)
      return codes.map((code) => `${name} ${status}${code}`)
    }),
  )
  expect(exercisedAnswers()).toEqual([...new Set(described)].sort())
})

it('the codes of failures are the closed list, each under its one status', () => {
  expect(failureCodes).toEqual(Object.keys(errorCodes))
  const used = exercisedAnswers().flatMap((answer) => {
    const [, status, code] = / (\d{3}) (\w+)$/.exec(answer) ?? []
    return code === undefined ? [] : [[code, Number(status)] as const]
  })
  for (const [code, status] of used) expect([code, errorCodes[code as ErrorCode].status]).toEqual([code, status])
})

it.each([
  ['GET', '/unknown', 404],
  ['DELETE', '/garment-tagging/upload', 405],
])('%s %s answers %d in the failure envelope', async (method, path, status) => {
  const response = await app.request(path, { method }, bindings)
  expect(response.status).toBe(status)
  expect(problemsOf({ $ref: '#/components/schemas/Failure' }, await response.json())).toEqual([])
  expect(response.headers.has('allow')).toBe(status === 405)
})
