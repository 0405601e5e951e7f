import type { ApiRequest, CallOptions, ClientOptions } from './connection.ts'
import { send, sendForData } from './send.ts'
import type * as T from './types.ts'
import { waitForEnd, type WaitOptions } from './wait.ts'

/** An image file in place of its address. */
export interface FileUpload {
  readonly uuid: string
  readonly image: Blob
  /** The file's name. */
  readonly name?: string
  readonly attribute?: Readonly<Record<string, string>>
}

/** An image file in place of a picture's address. */
export interface PictureFile {
  readonly image: Blob
  /** The file's name. */
  readonly name?: string
  readonly kind?: T.Picture['kind']
}

/** Up to eight image files of one garment in their order, together at most 95 MB. */
export interface FilesUpload {
  readonly uuid: string
  readonly images: readonly PictureFile[]
  readonly attribute?: Readonly<Record<string, string>>
}

/** As browsers escape them. */
const escaped = (name: string) => name.replaceAll('"', '%22').replaceAll(/[\r\n]+/g, '%0A')

/**
 * The form of an upload. Not `FormData`, which runtimes end differently, while the service has to know the file's size
 * from the length of the whole.
 */
export function fileForm(fields: Readonly<Record<string, string>>, images: readonly PictureFile[]) {
  const boundary = `form-${crypto.randomUUID()}`
  const part = (field: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(field)}"`
  const texts = Object.entries(fields).map(([field, value]) => `${part(field)}\r\n\r\n${value}\r\n`)
  const files = images.flatMap(({ image, name = 'image' }) => [
    `${part('image')}; filename="${escaped(name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    image,
    '\r\n',
  ])
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: new Blob([...texts, ...files, `--${boundary}--\r\n`]),
  }
}

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
    async uploadFile({ uuid, image, name, attribute }: FileUpload, callOptions: CallOptions = {}): Promise<void> {
      const file = { image, ...(name !== undefined && { name }) }
      await methods.uploadFiles({ uuid, images: [file], ...(attribute && { attribute }) }, callOptions)
    },

    /** Uploads image files as the pictures of one garment, as `upload` does addresses. */
    async uploadFiles({ uuid, images, attribute = {} }: FilesUpload, { signal }: CallOptions = {}): Promise<void> {
      const kinds = images.map(({ kind = null }) => kind)
      const said = kinds.some((kind) => kind !== null) ? { kinds: JSON.stringify(kinds) } : {}
      const content = fileForm({ uuid, attribute: JSON.stringify(attribute), ...said }, images)
      const path = '/garment-tagging/upload'
      await sendForData(options, { ...tenant, method: 'POST', path, content, signal })
    },

    /**
     * Adds a picture to a garment, which is tagged again, and returns it: `{url, kind?}`, or a file as `image`. The
     * same picture again changes nothing.
     */
    async addPicture(uuid: string, picture: T.Picture | PictureFile, { signal }: CallOptions = {}): Promise<T.Garment> {
      const request = { ...tenant, method: 'POST', path: '/garment-tagging/pictures', query: { uuid }, signal } as const
      if (!('image' in picture)) return await sendForData(options, { ...request, body: picture })
      const { kind } = picture
      const content = fileForm(kind === undefined ? {} : { kind }, [picture])
      return await sendForData(options, { ...request, content })
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

    /** One page of garments, newest first, or of those that have the words `q`. */
    async garmentsPage(query: T.GarmentsQuery = {}, { signal }: CallOptions = {}): Promise<T.GarmentPage> {
      const path = '/garment-tagging/garments'
      return await sendForData(options, { ...tenant, method: 'GET', path, query: { ...query }, signal })
    },

    /** The same page by page. */
    async *garments(query: Omit<T.GarmentsQuery, 'cursor'> = {}, callOptions: CallOptions = {}) {
      let cursor: string | null = null
      do {
        const page: T.GarmentPage = await methods.garmentsPage({ ...query, cursor }, callOptions)
        yield* page.garments
        cursor = page.cursor
      } while (cursor !== null)
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
