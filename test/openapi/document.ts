import { Validator } from '@cfworker/json-schema'
import { api } from '../../src/api.ts'
import { describeApi } from '../../src/platform/http/openapi.ts'

interface Described {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly examples?: Record<string, Example> }>>
}

interface Example {
  readonly summary: string
  readonly value: { readonly code: string }
}

export interface Operation {
  /** Method and path: `GET /garment-tagging/query`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly hasJsonBody: boolean
  /** The example that fills in the documentation's forms. */
  readonly bodyExample: object | undefined
  readonly scheme: string | undefined
  readonly responses: Readonly<Record<string, Described>>
}

/** Serialised as clients get it, which drops properties that only the generator knows. */
const document = JSON.parse(JSON.stringify(describeApi(api, 'https://service.test'))) as {
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, { post: OperationObject }>
  components: { schemas: { Failure: { properties: { code: { enum: string[] } } } } }
}

interface OperationObject {
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object; readonly example?: object }> }
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly security?: readonly object[]
  readonly responses: Record<string, Described>
}

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { requestBody, security, responses }]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    hasJsonBody: requestBody?.content['application/json'] !== undefined,
    bodyExample: requestBody?.content['application/json']?.example,
    scheme: Object.keys(security?.[0] ?? {})[0],
    responses,
  })),
)

export const webhookEvents = Object.entries(document.webhooks).map(([event, { post }]) => ({
  event,
  schema: post.requestBody?.content['application/json']?.schema ?? {},
  headers: (post.parameters ?? []).map(({ name, required = false }) => ({ name, required })),
}))

/** All failure codes. */
export const failureCodes = document.components.schemas.Failure.properties.code.enum

/**
 * Forbids further properties in every object of a schema that lists its properties, so that undescribed fields are
 * found.
 */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]))
  const isOpen = 'properties' in closed && !('additionalProperties' in closed)
  return isOpen ? { ...closed, additionalProperties: false } : closed
}

const components = close(document.components)

/** Validators by the JSON of their schema. Creating one resolves every reference in the document. */
const validators = new Map<string, Validator>()

function validatorFor(schema: object): Validator {
  const key = JSON.stringify(schema)
  const validator =
    validators.get(key) ?? new Validator({ ...(close(schema) as object), components } as object, '2020-12')
  validators.set(key, validator)
  return validator
}

/** Returns the violations of a schema of the document, with their paths in the value. */
export function problemsOf(schema: object, value: unknown): string[] {
  const { valid, errors } = validatorFor(schema).validate(value)
  return valid ? [] : errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}
