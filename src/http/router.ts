import { OpenAPIHono } from '@hono/zod-openapi'
import { rejectInvalid } from './validation.ts'

export interface AppEnv {
  Bindings: Env
  Variables: {
    requestId: string
    /** Set by the middleware that checked the access token. */
    merchantId: string
    /** Set by the gate. */
    tenantId: string
    /** The API key of the request; set by the gate. */
    apiKeyId: string
    /** The garment the request is about, for the log line. */
    uuid?: string
  }
}

/** A router whose validation failures become one clear 400. */
export function createRouter() {
  return new OpenAPIHono<AppEnv>({ defaultHook: rejectInvalid })
}
