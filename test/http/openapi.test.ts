import { expect, it } from 'vitest'
import { app } from '../../src/app.ts'
import { raw } from '../service.ts'

it('the OpenAPI document describes every endpoint of the API', async () => {
  const response = await raw('GET', '/openapi.json')
  const document = await response.json<{ paths: Record<string, Record<string, { responses: object }>> }>()
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const mounted = app.routes
    .filter(({ method, path }) => method !== 'ALL' && /^\/(merchant|garment-tagging)/.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    .filter((route) => !route.includes('/annotated/'))
  expect(described.sort()).toEqual([...new Set(mounted)].sort())
  expect(Object.keys(document.paths['/garment-tagging/upload']?.['post']?.responses ?? {})).toEqual(
    expect.arrayContaining(['200', '400', '401', '409', '429']),
  )
})
