import { registerHooks } from 'node:module'
import type { OpenApiDocument } from '../../src/platform/http/openapi.ts'

/** Stubs for imports from the Workers runtime. Loading the API's modules uses none of them. */
const workersRuntime = 'data:text/javascript,export const waitUntil = undefined'

/** Decoders and weights, replaced because API descriptions do not need them. */
const binaryModule = 'data:text/javascript,export default undefined'

const standIn = (specifier: string) =>
  specifier === 'cloudflare:workers' ? workersRuntime : /\.(wasm|bin)$/.test(specifier) ? binaryModule : undefined

/** Generates the OpenAPI document of the service at `origin`, in Node.js. */
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
