import type { CallOptions, ClientOptions } from './connection.ts'
import { sendForData } from './send.ts'
import type * as T from './types.ts'

const path = '/garment-tagging/import'

/** All need `apiKey` and `domain`, and count against the tenant's rate limit: each call once. */
export function importMethods(options: ClientOptions) {
  const tenant = { scope: 'tenant', path, repeatable: true } as const
  return {
    /**
     * Imports up to 10,000 garments by one request; they are uploaded in the background. `lines` is the text of a CSV
     * file, or the uploads themselves. Those that are there already change nothing.
     */
    async importGarments(
      lines: string | readonly T.Upload[],
      { name, signal }: CallOptions & { readonly name?: string } = {},
    ): Promise<T.StoredImport> {
      const content =
        typeof lines === 'string'
          ? { type: 'text/csv', body: lines }
          : { type: 'application/x-ndjson', body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }
      return await sendForData(options, { ...tenant, method: 'POST', query: { name }, content, signal })
    },

    /** The progress of an import, and a page of its lines. 404 if there is none. */
    async getImport(id: string, page: T.ImportPageQuery = {}, { signal }: CallOptions = {}): Promise<T.Import> {
      return await sendForData(options, { ...tenant, method: 'GET', query: { id, ...page }, signal })
    },

    /** Pauses an import, or resumes it. */
    async pauseImport(id: string, paused: boolean, { signal }: CallOptions = {}): Promise<void> {
      await sendForData(options, { ...tenant, method: 'PUT', body: { id, paused }, signal })
    },
  }
}

export type ImportMethods = ReturnType<typeof importMethods>
