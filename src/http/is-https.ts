import type { Context } from 'hono'

/**
 * Whether the client came by https: to us, or to a proxy that ended TLS in front of the service and says so. A client
 * that claims it falsely only harms itself.
 */
export const isHttps = (c: Pick<Context, 'req'>): boolean =>
  c.req.url.startsWith('https:') || c.req.header('x-forwarded-proto') === 'https'
