import type { ApiRequest, CallOptions, ClientOptions } from './connection.ts'
import { fileForm, type FileUpload } from './file-form.ts'
import { send, sendForData } from './send.ts'
import type * as T from './types.ts'
import { waitForEnd, type WaitOptions } from './wait.ts'

const exportPath = '/garment-tagging/export'

/** All need `apiKey` and `domain`, and count against the tenant's rate limit. */
export function garmentMethods(options: ClientOptions) {
  const tenant = { scope: 'tenant', repeatable: true } as const
  const methods = {
    /**
     * Uploads a picture to be tagged. The same content again changes nothing, other content under the same uuid is
     * 409, and a failed garment is tagged again.
     */
    async upload(garment: T.Upload, { signal }: CallOptions = {}): Promise<void> {
      const path = '/garment-tagging/upload'
      await sendForData(options, { ...tenant, method: 'POST', path, body: garment, signal })
    },

    /** Uploads an image file, as `upload` does an address. */
    async uploadFile(
      { uuid, image, name = 'image', attribute = {} }: FileUpload,
      { signal }: CallOptions = {},
    ): Promise<void> {
      const content = fileForm({ uuid, attribute: JSON.stringify(attribute) }, image, name)
      const path = '/garment-tagging/upload'
      await sendForData(options, { ...tenant, method: 'POST', path, content, signal })
    },

    /** The garment and, once it is complete, its result. 404 if there is none. */
    async query(uuid: string, { signal }: CallOptions = {}): Promise<T.Garment> {
      const path = '/garment-tagging/query'
      return await sendForData(options, { ...tenant, method: 'GET', path, query: { uuid }, signal })
    },

    /** Polls until the garment is complete or failed; see its `status` and `failure_reason`. Throws after `waitMs`. */
    async wait(uuid: string, waitOptions: WaitOptions = {}): Promise<T.Garment> {
      return await waitForEnd((callOptions) => methods.query(uuid, callOptions), waitOptions)
    },

    /** Uploads and waits: see `upload` and `wait`. */
    async uploadAndWait(garment: T.Upload, waitOptions: WaitOptions = {}): Promise<T.Garment> {
      await methods.upload(garment, waitOptions)
      return await methods.wait(garment.uuid, waitOptions)
    },

    /** Corrects or confirms values of a complete garment, or changes its attributes, and returns it. */
    async correct(uuid: string, correction: T.Correction, { signal }: CallOptions = {}): Promise<T.Garment> {
      const request: ApiRequest = { ...tenant, method: 'PATCH', path: '/garment-tagging/garment', query: { uuid } }
      return await sendForData(options, { ...request, body: correction, signal })
    },

    /** Deletes a garment in any state. A later upload of its uuid is a new garment. 404 if there is none. */
    async delete(uuid: string, { signal }: CallOptions = {}): Promise<void> {
      const request: ApiRequest = { ...tenant, method: 'DELETE', path: '/garment-tagging/garment', query: { uuid } }
      await sendForData(options, { ...request, signal })
    },

    /** The attributes with their values, the item types and the points of measure. */
    async getTaxonomy({ signal }: CallOptions = {}): Promise<T.Taxonomy> {
      return await sendForData(options, { ...tenant, method: 'GET', path: '/garment-tagging/taxonomy', signal })
    },

    /** One page of garments, oldest first. */
    async exportPage(query: T.ExportQuery = {}, { signal }: CallOptions = {}): Promise<T.ExportPage> {
      return await sendForData(options, { ...tenant, method: 'GET', path: exportPath, query: { ...query }, signal })
    },

    /** The same as CSV with a header. */
    async exportCsvPage(
      query: T.ExportQuery = {},
      { signal }: CallOptions = {},
    ): Promise<{ csv: string; next_cursor: string | null }> {
      const request: ApiRequest = { ...tenant, method: 'GET', path: exportPath, query: { ...query, format: 'csv' } }
      const { headers, text } = await send(options, { ...request, signal })
      const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      return { csv: text, next_cursor: next === undefined ? null : new URL(next).searchParams.get('cursor') }
    },

    /** All garments of the filter, oldest first, page by page. */
    async *exportGarments(
      filter: T.ExportFilter = {},
      callOptions: CallOptions = {},
    ): AsyncGenerator<T.ExportedGarment> {
      let cursor: string | null = null
      do {
        const page: T.ExportPage = await methods.exportPage({ ...filter, cursor }, callOptions)
        yield* page.garments
        cursor = page.next_cursor
      } while (cursor !== null)
    },
  }
  return methods
}

export type GarmentMethods = ReturnType<typeof garmentMethods>
