import type { Database } from '../../db/client.ts'
import { findConfigRow, listConfigRows, type ConfigRow } from '../config/config-row.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import { endpointNotFound } from '../errors.ts'
import { toEndpointResponse, type Endpoint } from './to-endpoint-response.ts'

/** The endpoints of a tenant, the first one first. Throws 409 if one was encrypted under a removed key. */
export async function listEndpoints(db: Database, tenantId: string, keys: EncryptionKeys): Promise<Endpoint[]> {
  const rows = await listConfigRows(db, tenantId)
  return await Promise.all(rows.map(async (row) => await toEndpointResponse(row, keys)))
}

/** Throws 404 for one that does not exist; another tenant's gives the same answer. */
export async function getEndpointRow(db: Database, tenantId: string, id: string): Promise<ConfigRow> {
  const row = await findConfigRow(db, tenantId, id)
  if (row === undefined || row.url === '') throw endpointNotFound()
  return row
}
