import type { CallOptions, ClientOptions } from './connection.ts'
import { requestsOf, send } from './send.ts'
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

const [exportPath, importPath] = ['/garment-tagging/export', '/garment-tagging/import']
const [uploadPath, garmentPath] = ['/garment-tagging/upload', '/garment-tagging/garment']

/** All need `apiKey` and `domain`, and count against the tenant's rate limit: each call once. */
export function garmentMethods(options: ClientOptions) {
  const { get, post, put, patch, remove } = requestsOf(options, 'tenant')
  const methods = {
    /**
     * Uploads a picture to be tagged. The same content again changes nothing, other content under the same uuid is
     * 409, and a failed garment is tagged again.
     */
    upload: async (garment: T.Upload, { signal }: CallOptions = {}): Promise<void> =>
      await post(uploadPath, { signal, body: garment, repeatable: true }),

    /** Uploads an image file, as `upload` does an address. */
    uploadFile: async ({ uuid, image, name, attribute }: FileUpload, call?: CallOptions): Promise<void> =>
      await methods.uploadFiles(
        { uuid, images: [{ image, ...(name !== undefined && { name }) }], ...(attribute && { attribute }) },
        call,
      ),

    /** Uploads image files as the pictures of one garment, as `upload` does addresses. */
    async uploadFiles({ uuid, images, attribute = {} }: FilesUpload, call?: CallOptions): Promise<void> {
      const kinds = images.map(({ kind = null }) => kind)
      const said = kinds.some((kind) => kind !== null) ? { kinds: JSON.stringify(kinds) } : {}
      const content = fileForm({ uuid, attribute: JSON.stringify(attribute), ...said }, images)
      await post(uploadPath, { ...call, content, repeatable: true })
    },

    /**
     * Adds a picture to a garment, which is tagged again, and returns it: `{url, kind?}`, or a file as `image`. The
     * same picture again changes nothing.
     */
    async addPicture(uuid: string, picture: T.Picture | PictureFile, call?: CallOptions): Promise<T.Garment> {
      const { kind } = picture
      const body =
        'image' in picture ? { content: fileForm(kind === undefined ? {} : { kind }, [picture]) } : { body: picture }
      return await post('/garment-tagging/pictures', { ...call, ...body, query: { uuid }, repeatable: true })
    },

    /** The garment and, once it is complete, its result. 404 if there is none. */
    query: async (uuid: string, call?: CallOptions): Promise<T.Garment> =>
      await get('/garment-tagging/query', { ...call, query: { uuid } }),

    /** Polls until the garment is complete or failed; see its `status` and `failure_reason`. Throws after `waitMs`. */
    wait: async (uuid: string, waitOptions: WaitOptions = {}): Promise<T.Garment> =>
      await waitForEnd((call) => methods.query(uuid, call), waitOptions),

    /** Uploads and waits: see `upload` and `wait`. */
    async uploadAndWait(garment: T.Upload, waitOptions: WaitOptions = {}): Promise<T.Garment> {
      await methods.upload(garment, waitOptions)
      return await methods.wait(garment.uuid, waitOptions)
    },

    /** Corrects or confirms values of a complete garment, or changes its attributes, and returns it. */
    correct: async (uuid: string, correction: T.Correction, call?: CallOptions): Promise<T.Garment> =>
      await patch(garmentPath, { ...call, query: { uuid }, body: correction }),

    /** Deletes a garment in any state. A later upload of its uuid is a new garment. 404 if there is none. */
    delete: async (uuid: string, call?: CallOptions): Promise<void> =>
      await remove(garmentPath, { ...call, query: { uuid } }),

    /** The attributes with their values, the item types and the points of measure. */
    getTaxonomy: async (call?: CallOptions): Promise<T.Taxonomy> => await get('/garment-tagging/taxonomy', call),

    /** One page of garments, newest first, or of those that have the words `q`. */
    garmentsPage: async (query: T.GarmentsQuery = {}, call?: CallOptions): Promise<T.GarmentPage> =>
      await get('/garment-tagging/garments', { ...call, query }),

    /** The same page by page. */
    async *garments(query: Omit<T.GarmentsQuery, 'cursor'> = {}, call?: CallOptions) {
      let cursor: string | null = null
      do {
        const page: T.GarmentPage = await methods.garmentsPage({ ...query, cursor }, call)
        yield* page.garments
        cursor = page.cursor
      } while (cursor !== null)
    },

    /** One page of garments, oldest first. */
    exportPage: async (query: T.ExportQuery = {}, call?: CallOptions): Promise<T.ExportPage> =>
      await get(exportPath, { ...call, query }),

    /** The same as CSV with a header. */
    async exportCsvPage(
      query: T.ExportQuery = {},
      call?: CallOptions,
    ): Promise<{ csv: string; next_cursor: string | null }> {
      const request = { scope: 'tenant', method: 'GET', path: exportPath, repeatable: true } as const
      const { headers, text } = await send(options, { ...request, ...call, query: { ...query, format: 'csv' } })
      const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      return { csv: text, next_cursor: next === undefined ? null : new URL(next).searchParams.get('cursor') }
    },

    /** All garments of the filter, oldest first, page by page. */
    async *exportGarments(filter: T.ExportFilter = {}, call?: CallOptions): AsyncGenerator<T.ExportedGarment> {
      let cursor: string | null = null
      do {
        const page: T.ExportPage = await methods.exportPage({ ...filter, cursor }, call)
        yield* page.garments
        cursor = page.next_cursor
      } while (cursor !== null)
    },

    /**
     * Imports up to 10,000 garments by one request; they are uploaded in the background. `lines` is the text of a CSV
     * file, or the uploads themselves. Those that are there already change nothing.
     */
    async importGarments(
      lines: string | readonly T.Upload[],
      { name, ...call }: CallOptions & { readonly name?: string } = {},
    ): Promise<T.StoredImport> {
      const content =
        typeof lines === 'string'
          ? { type: 'text/csv', body: lines }
          : { type: 'application/x-ndjson', body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }
      return await post(importPath, { ...call, query: { name }, content, repeatable: true })
    },

    /** The progress of an import, and a page of its lines. 404 if there is none. */
    getImport: async (id: string, page: T.ImportPageQuery = {}, call?: CallOptions): Promise<T.Import> =>
      await get(importPath, { ...call, query: { id, ...page } }),

    /** Pauses an import, or resumes it. */
    pauseImport: async (id: string, paused: boolean, call?: CallOptions): Promise<void> =>
      await put(importPath, { ...call, body: { id, paused } }),
  }
  return methods
}
