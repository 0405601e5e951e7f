import { registerHooks } from 'node:module'
import type { OpenApiDocument } from '../../src/platform/http/openapi.ts'

/** What modules of the API import from the Workers runtime; none of it is used while they are loaded. */
const workersRuntime = 'data:text/javascript,export const waitUntil = undefined'

/** Decoders and weights, which no description needs. */
const binaryModule = 'data:text/javascript,export default undefined'

const standIn = (specifier: string) =>
  specifier === 'cloudflare:workers' ? workersRuntime : /\.(wasm|bin)$/.test(specifier) ? binaryModule : undefined

/** The OpenAPI document of the service at `origin`, generated in Node.js. */
export async function loadOpenApi(origin: string): Promise<OpenApiDocument> {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const url = standIn(specifier)
      return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true }
    },
  })
  const { api } = await import('../../src/api.ts')
  const { describeApi } = await import('../../src/platform/http/openapi.ts')
  return describeApi(api, origin)
}
