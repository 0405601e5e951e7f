import type { RequestParts } from '../exchange.ts'

const uuid = '?uuid=mine'

/** A valid request for each endpoint, without credentials. Tests add those. */
export const validRequests: Readonly<Record<string, RequestParts>> = {
  'POST /merchant/sign-up': { body: { email: 'new@example.com', password: 'long enough', name: 'New' } },
  'POST /merchant/sign-in': { body: { email: 'new@example.com', password: 'long enough' } },
  'PUT /merchant/password': { body: { password: 'long enough', new_password: 'long enough too' } },
  'POST /merchant/tenant': { body: { name: 'New', domain: 'new.example' } },
  'POST /merchant/tenant/api-key': { body: { name: 'new' } },
  'DELETE /merchant/tenant/api-key/{id}': { path: '/merchant/tenant/api-key/some-id' },
  'POST /garment-tagging/upload': { body: { uuid: 'mine', image_url: 'https://a.example/x.jpg' } },
  'GET /garment-tagging/query': { path: `/garment-tagging/query${uuid}` },
  'GET /garment-tagging/annotated/{tenantId}/{pictureId}': { path: '/garment-tagging/annotated/a/b' },
  'GET /garment-tagging/annotated/{tenantId}/{pictureId}/thumbnail': {
    path: '/garment-tagging/annotated/a/b/thumbnail',
  },
  'GET /garment-tagging/copy/{tenantId}/{pictureId}': { path: '/garment-tagging/copy/a/b' },
  'GET /garment-tagging/cutout/{tenantId}/{pictureId}': { path: '/garment-tagging/cutout/a/b' },
  'GET /garment-tagging/original/{tenantId}/{fileId}': { path: '/garment-tagging/original/a/b' },
  'GET /garment-tagging/upright/{tenantId}/{fileId}': { path: '/garment-tagging/upright/a/b' },
  'PATCH /garment-tagging/garment': { path: `/garment-tagging/garment${uuid}`, body: { tag: { Colour: 'Black' } } },
  'POST /garment-tagging/numbers': { body: { count: 40 } },
  'POST /garment-tagging/garment/split': {
    path: '/garment-tagging/garment/split?uuid=mine',
    body: { uuid: 'new', images: ['b'] },
  },
  'POST /garment-tagging/pictures': {
    path: `/garment-tagging/pictures${uuid}`,
    body: { url: 'https://a.example/y.jpg' },
  },
  'DELETE /garment-tagging/garment': { path: `/garment-tagging/garment${uuid}` },
  'POST /garment-tagging/import': {
    headers: { 'Content-Type': 'text/csv' },
    body: 'uuid,image_url\na,https://a.example/\n',
  },
  'GET /garment-tagging/import': { path: `/garment-tagging/import?id=${crypto.randomUUID()}` },
  'PUT /garment-tagging/import': { body: { id: crypto.randomUUID(), paused: true } },
  'PUT /garment-tagging/webhook/config': { body: { enabled: false } },
  'POST /garment-tagging/webhook/endpoints': { body: { url: 'https://a.example/' } },
  'POST /garment-tagging/webhook/test': { body: { type: 'webhook.test' } },
  'GET /garment-tagging/webhook/endpoints/{id}': { path: '/garment-tagging/webhook/endpoints/some-id' },
  'PATCH /garment-tagging/webhook/endpoints/{id}': {
    path: '/garment-tagging/webhook/endpoints/some-id',
    body: { enabled: false },
  },
  'DELETE /garment-tagging/webhook/endpoints/{id}': { path: '/garment-tagging/webhook/endpoints/some-id' },
  'GET /garment-tagging/webhook/delivery-status': { path: `/garment-tagging/webhook/delivery-status${uuid}` },
  'GET /garment-tagging/webhook/attempts': { path: `/garment-tagging/webhook/attempts${uuid}` },
  'POST /garment-tagging/webhook/redeliver': { body: { uuid: 'mine' } },
  // For one tenant, because a change for all tenants would affect garments of other test files.
  'PUT /operator/pause': { body: { tagging: false, tenant: crypto.randomUUID() } },
  'PUT /operator/tenant': { body: { tenant: crypto.randomUUID() } },
  'POST /operator/password-reset': { body: { email: 'nobody@example.com' } },
  'POST /operator/repeat-deletions': { body: { database: 2, from: '2100-01-01T00:00:00Z' } },
  'POST /operator/retag': { body: { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' } },
}
