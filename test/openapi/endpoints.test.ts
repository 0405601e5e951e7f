import { OpenAPIHono } from '@hono/zod-openapi'
import { expect, it, vi } from 'vitest'
import { app } from '../../src/app.ts'
import { serveOpenApi } from '../../src/platform/http/openapi.ts'
import type { AppEnv } from '../../src/platform/http/router.ts'
import { raw } from '../service.ts'
import { operations } from './document.ts'

it('the OpenAPI document describes every endpoint of the API', () => {
  const mounted = app.routes
    .filter(({ method, path }) => method !== 'ALL' && /^\/(merchant|garment-tagging|operator|status|health)/.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  expect(operations.map(({ name }) => name).sort()).toEqual([...new Set(mounted)].sort())
})

it('the OpenAPI document is served with the origin at which it was asked for', async () => {
  const response = await raw('GET', '/openapi.json')
  expect(response.headers.get('content-type')).toBe('application/vnd.oai.openapi+json')
  expect(await response.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://service.test' }] })
})

it('the OpenAPI document is made once for the same origin, and again for another', async () => {
  const app = new OpenAPIHono<AppEnv>()
  const make = vi.spyOn(app, 'getOpenAPI31Document')
  serveOpenApi(app)
  const originOf = async (origin: string) => {
    const { servers } = await (await app.request(`${origin}/openapi.json`)).json<{ servers: { url: string }[] }>()
    return servers[0]?.url
  }
  const asked = ['http://a.test', 'http://a.test', 'http://b.test', 'http://b.test']
  const origins: unknown[] = []
  for (const origin of asked) origins.push(await originOf(origin))
  expect(origins).toEqual(asked)
  expect(make).toHaveBeenCalledTimes(2)
})

it('the OpenAPI document has no default of a list, of which orval makes zod schemas that do not compile', async () => {
  const text = await (await raw('GET', '/openapi.json')).text()
  expect(text).toContain('"default":{}')
  expect(text).not.toContain('"default":[')
})
