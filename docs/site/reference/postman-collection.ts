import type { OpenApiDocument } from '../../../src/platform/http/openapi.ts'
import { type Document, type Endpoint, endpointsOf } from './document.ts'

/** Headers by security scheme. Their values are variables of the collection. */
const credentialHeaders: Readonly<Record<string, readonly [name: string, value: string]>> = {
  ApiKey: ['API-KEY', '{{apiKey}}'],
  Domain: ['DOMAIN', '{{domain}}'],
  AccessToken: ['Authorization', 'Bearer {{accessToken}}'],
  OperatorToken: ['Authorization', 'Bearer {{operatorToken}}'],
}

const variables = { baseUrl: 'http://localhost:8787', apiKey: '', domain: '', accessToken: '', operatorToken: '' }

/** Builds a Postman collection of all endpoints, format 2.1: https://schema.postman.com */
export function postmanCollection(openApi: OpenApiDocument): object {
  const document = JSON.parse(JSON.stringify(openApi)) as Document
  const endpoints = endpointsOf(document)
  return {
    info: { name: 'Garment tagging', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: document.tags.map(({ name }) => ({
      name,
      item: endpoints.filter(({ operation }) => operation.tags.includes(name)).map(toItem),
    })),
  }
}

function toItem({ method, path, operation }: Endpoint) {
  const { summary, parameters = [], requestBody, security = [] } = operation
  const credentials = Object.keys(security[0] ?? {}).flatMap((scheme) => {
    const [key, value] = credentialHeaders[scheme] ?? []
    return key === undefined ? [] : [{ key, value }]
  })
  const body = requestBody?.content['application/json']?.example
  const inPlace = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required = false }) => ({ key: name, value: text(schema.example), disabled: !required }))
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      header: [...credentials, ...inPlace('header')],
      url: {
        raw: `{{baseUrl}}/${segments}`,
        host: ['{{baseUrl}}'],
        path: segments.split('/'),
        query: inPlace('query'),
        variable: inPlace('path').map(({ key, value }) => ({ key, value })),
      },
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
    },
  }
}

const text = (example: unknown) =>
  typeof example === 'string' ? example : JSON.stringify(example ?? '').replace('""', '')
