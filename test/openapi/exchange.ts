import { createExecutionContext } from 'cloudflare:test'
import { expect } from 'vitest'
import { app } from '../../src/app.ts'
import { bindings } from '../service.ts'
import { operations, problemsOf, type Operation } from './document.ts'

export const operatorToken = 'an operator token for tests, long enough'

export interface RequestParts {
  /** Path with parameters and query. Default: the endpoint's path. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: object | string
  /** Bindings that replace the usual ones. */
  readonly env?: Readonly<Record<string, unknown>>
}

/** A request to an endpoint and its expected status. */
export interface Scenario {
  readonly operation: string
  readonly status: number
  readonly prepare: () => Promise<RequestParts>
}

export const scenario = (operation: string, status: number, prepare: Scenario['prepare']): Scenario => ({
  operation,
  status,
  prepare,
})

const exercised = new Set<string>()

/** Lists the answers so far: operation, status, and the code of failures. */
export const exercisedAnswers = () => [...exercised].sort()

/** Headers that the document must describe. */
const describedHeaders = /^(x-request-id|ratelimit-.*|retry-after|www-authenticate|link)$/

/** Sends a request and compares the whole response with the document. Returns its status. */
export async function exchange(name: string, { path, headers, body, env }: RequestParts): Promise<number> {
  const operation = operations.find((each) => each.name === name)
  if (operation === undefined) throw new Error(`The document has no ${name}`)
  const request = new Request(`https://service.test${path ?? operation.path}`, {
    method: operation.method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const changed = { ...bindings, OPERATOR_TOKEN: operatorToken, ...env } as Env
  const response = await app.fetch(request, changed, createExecutionContext())
  exercised.add(`${name} ${response.status} ${await checkResponse(operation, response)}`.trimEnd())
  return response.status
}

/** Returns the code of a failure, else an empty text. */
async function checkResponse(operation: Operation, response: Response): Promise<string> {
  const described = operation.responses[response.status]
  if (described === undefined) throw new Error(`${operation.name} has no ${response.status} in the document`)
  checkHeaders(operation, response)
  const content = described.content ?? {}
  if (response.body === null) {
    expect([operation.name, content]).toEqual([operation.name, {}])
    return ''
  }
  const type = response.headers.get('content-type')?.split(';')[0] ?? ''
  const json = content[type]
  if (json === undefined) throw new Error(`${operation.name} ${response.status} has no ${type} in the document`)
  if (type !== 'application/json') return ''
  const body = await response.json<{ message: string; code?: string }>()
  expect(problemsOf(json.schema, body)).toEqual([])
  const { code = '', message } = body
  const causes = Object.values(json.examples ?? {}).map(({ summary, value }) => [summary, value.code])
  if (!response.ok) expect(causes).toContainEqual([message, code])
  return code
}

/** Checks that every sent header is described, and that headers are sent unless the failure decides about them. */
function checkHeaders({ name, responses }: Operation, { headers, status }: Response): void {
  const described = Object.keys(responses[status]?.headers ?? {}).map((header) => header.toLowerCase())
  const sent = [...headers.keys()].filter((header) => describedHeaders.test(header))
  expect([name, sent.filter((header) => !described.includes(header))]).toEqual([name, []])
  const always =
    status < 500 ? described.filter((header) => header !== 'link' && header !== 'x-omitted') : ['x-request-id']
  expect([name, always.filter((header) => !headers.has(header))]).toEqual([name, []])
}
