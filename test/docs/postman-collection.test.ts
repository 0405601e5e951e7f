import { expect, it } from 'vitest'
import { postmanCollection } from '../../docs/site/reference/postman-collection.ts'
import { api } from '../../src/api.ts'
import { describeApi } from '../../src/platform/http/openapi.ts'

const openApi = describeApi(api, 'https://tagging.example')

/** Lists method and path of each request in a collection. */
const requestsOf = (collection: object) =>
  [...JSON.stringify(collection).matchAll(/"method":"(\w+)".*?"raw":"\{\{baseUrl\}\}(\/[^"]*)"/g)].map(
    ([, method, path]) => `${method} ${path}`,
  )

it('the Postman collection has every endpoint once', () => {
  const endpoints = Object.entries(openApi.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(requestsOf(postmanCollection(openApi)).sort()).toEqual(endpoints.sort())
})

it('a request of the Postman collection has its credentials and the body of the documentation', () => {
  const text = JSON.stringify(postmanCollection(openApi))
  expect(text).toContain('{"key":"API-KEY","value":"{{apiKey}}"},{"key":"DOMAIN","value":"{{domain}}"}')
  expect(text).toContain('{"key":"Authorization","value":"Bearer {{accessToken}}"}')
  expect(text).toContain(JSON.stringify('"image_url": "https://').slice(1, -1))
})
