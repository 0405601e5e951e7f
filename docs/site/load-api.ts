import { registerHooks } from 'node:module'
import type { OpenApiDocument } from '../../src/http/openapi/complete-operation.ts'

/** What modules of the API import from the Workers runtime; none of it is used while they are loaded. */
const workersRuntime = 'data:text/javascript,export const waitUntil = undefined'

/** The OpenAPI document of the service at `origin`, generated in Node.js. */
export async function loadOpenApi(origin: string): Promise<OpenApiDocument> {
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      specifier === 'cloudflare:workers'
        ? { url: workersRuntime, shortCircuit: true }
        : nextResolve(specifier, context),
  })
  const { api } = await import('../../src/api.ts')
  const { describeApi } = await import('../../src/http/openapi/describe-api.ts')
  return describeApi(api, origin)
}
