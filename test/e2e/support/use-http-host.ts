import { afterAll } from 'vitest'
import { startHttpHost, type HttpHost } from '../../support/http-host.ts'

/** Starts a host for the tests of a file, and closes it after them. */
export async function useHttpHost(): Promise<HttpHost> {
  const host = await startHttpHost()
  afterAll(async () => await host.close())
  return host
}
