import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { app } from '../../../src/app.ts'
import { bindings, raw } from '../../service.ts'

const json = { 'Content-Type': 'application/json' }

describe('every JSON response', () => {
  it.each([
    ['GET', '/health', undefined],
    ['GET', '/nothing', undefined],
    ['PATCH', '/merchant/tenant', undefined],
    ['POST', '/merchant/sign-up', '{'],
    ['GET', '/merchant/tenant', undefined],
    ['GET', '/garment-tagging/query?uuid=x', undefined],
    ['GET', '/openapi.json', undefined],
  ])('to %s %s forbids caching and MIME sniffing', async (method, path, body) => {
    const { headers } = await raw(method, path, json, body)
    expect(headers.get('content-type')).toMatch(/json/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBe(null)
  })
})

describe('with an https PUBLIC_URL', () => {
  const env = { ...bindings, ALLOW_LOCAL_TARGETS: 'false', PUBLIC_URL: 'https://tags.example' }
  const get = async (url: string, headers: Record<string, string> = {}) =>
    await app.fetch(new Request(url, { headers }), env, createExecutionContext())

  it.each(['/health', '/dashboard/sign-in', '/nothing'])('%s sends HSTS to browsers', async (path) => {
    const { headers } = await get(`https://tags.example${path}`)
    expect(headers.get('strict-transport-security')).toBe('max-age=15552000')
  })
})

it.each([
  ['is not https', bindings],
  [
    'is https, since the zone redirects',
    { ...bindings, ALLOW_LOCAL_TARGETS: 'false', PUBLIC_URL: 'https://tags.example' },
  ],
])('plain http is answered under any host name where PUBLIC_URL %s', async (_, env) => {
  const request = new Request('http://garments.lan:8787/health')
  expect((await app.fetch(request, env, createExecutionContext())).status).toBe(200)
})
