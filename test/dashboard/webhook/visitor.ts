import { call, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const api = '/garment-tagging/webhook/endpoints'

export const url = 'http://127.0.0.1:9/hooks'

export async function newVisitor() {
  const { tenantId, auth, merchant } = await newTenant()
  const headers = { Origin: 'http://service.test', ...(await sessionOf(merchant.id)) }
  return {
    tenantId,
    merchantId: merchant.id,
    add: async (endpoint: object) => (await call('POST', api, auth, endpoint)).body.data as { id: string },
    endpoints: async () =>
      (await call('GET', api, auth)).body.data.endpoints as { id: string; events: string[]; enabled: boolean }[],
    show: async (path: string) => await (await raw('GET', path, headers)).text(),
    post: async (path: string, fields: Record<string, string>) =>
      await raw('POST', path, headers, new URLSearchParams(fields)),
    status: async (path: string) => (await raw('GET', path, headers)).status,
  }
}
