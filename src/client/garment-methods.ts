import type { CallOptions, ClientOptions } from './connection.ts'
import { createRequests, send } from './send.ts'
import type * as T from './types.ts'
import { waitForEnd, type WaitOptions } from './wait.ts'

export interface FileUpload {
  readonly uuid: string
  readonly image: Blob
  readonly name?: string
  readonly attribute?: Readonly<Record<string, string>>
}

export interface PictureFile {
  readonly image: Blob
  readonly name?: string
  readonly kind?: T.Picture['kind']
}

/** Upload of up to eight image files as one garment's pictures, at most 95 MB in total. */
export interface FilesUpload {
  readonly uuid: string
  readonly images: readonly PictureFile[]
  readonly attribute?: Readonly<Record<string, string>>
}

interface ImportOptions {
  readonly name?: string
  /** True to overwrite changes that are newer than the file. */
  readonly overwrite?: boolean
  /** Maps columns of a CSV to fields, such as `{ 'Primary Color': 'tag.Colour' }`. */
  readonly columns?: Readonly<Record<string, string>>
}

/** Escapes a form field's name as browsers do. */
const escapeName = (name: string) => name.replaceAll('"', '%22').replaceAll(/[\r\n]+/g, '%0A')

/** Builds a multipart body without `FormData`, which runtimes end differently, because the service needs its length. */
export function fileForm(fields: Readonly<Record<string, string>>, images: readonly PictureFile[]) {
  const boundary = `form-${crypto.randomUUID()}`
  const part = (field: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(field)}"`
  const texts = Object.entries(fields).map(([field, value]) => `${part(field)}\r\n\r\n${value}\r\n`)
  const files = images.flatMap(({ image, name = 'image' }) => [
    `${part('image')}; filename="${escapeName(name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    image,
    '\r\n',
  ])
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: new Blob([...texts, ...files, `--${boundary}--\r\n`]),
  }
}

function nextCursorOf(headers: Headers): string | null {
  const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return next === undefined ? null : new URL(next).searchParams.get('cursor')
}

const [exportPath, importPath] = ['/garment-tagging/export', '/garment-tagging/import']
const [uploadPath, garmentPath] = ['/garment-tagging/upload', '/garment-tagging/garment']

/** Methods that need `apiKey` and `domain`. Each call counts once against the tenant's rate limit. */
export function garmentMethods(options: ClientOptions) {
  const { get, post, put, patch, remove } = createRequests(options, 'tenant')
  const methods = {
    /**
     * Uploads a picture for tagging. Repeating the call changes nothing, but a failed garment is tagged again. Other
     * content under the same uuid is rejected with 409.
     */
    upload: async (garment: T.Upload, { signal }: CallOptions = {}): Promise<void> =>
      await post(uploadPath, { signal, body: garment, repeatable: true }),

    /** Uploads an image file for tagging, like `upload`. */
    uploadFile: async ({ uuid, image, name, attribute }: FileUpload, call?: CallOptions): Promise<void> =>
      await methods.uploadFiles(
        { uuid, images: [{ image, ...(name !== undefined && { name }) }], ...(attribute && { attribute }) },
        call,
      ),

    /** Uploads image files as the pictures of one garment, like `upload`. */
    async uploadFiles({ uuid, images, attribute = {} }: FilesUpload, call?: CallOptions): Promise<void> {
      const kinds = images.map(({ kind = null }) => kind)
      const kindsField = kinds.some((kind) => kind !== null) ? { kinds: JSON.stringify(kinds) } : {}
      const content = fileForm({ uuid, attribute: JSON.stringify(attribute), ...kindsField }, images)
      await post(uploadPath, { ...call, content, repeatable: true })
    },

    /**
     * Adds a picture, `{url, kind?}` or a file as `image`, and returns the garment, which is tagged again. Adding the
     * same picture twice changes nothing.
     */
    async addPicture(uuid: string, picture: T.Picture | PictureFile, call?: CallOptions): Promise<T.Garment> {
      const { kind } = picture
      const body =
        'image' in picture ? { content: fileForm(kind === undefined ? {} : { kind }, [picture]) } : { body: picture }
      return await post('/garment-tagging/pictures', { ...call, ...body, query: { uuid }, repeatable: true })
    },

    /** Returns the garment, with its result once it is complete. 404 if it does not exist. */
    query: async (uuid: string, call?: CallOptions): Promise<T.Garment> =>
      await get('/garment-tagging/query', { ...call, query: { uuid } }),

    /** Polls until the garment is complete or failed. Throws after `waitMs`. */
    wait: async (uuid: string, waitOptions: WaitOptions = {}): Promise<T.Garment> =>
      await waitForEnd((call) => methods.query(uuid, call), waitOptions),

    /** Calls `upload`, then `wait`. */
    async uploadAndWait(garment: T.Upload, waitOptions: WaitOptions = {}): Promise<T.Garment> {
      await methods.upload(garment, waitOptions)
      return await methods.wait(garment.uuid, waitOptions)
    },

    /** Corrects or confirms values of a complete garment, or changes its attributes. Returns the garment. */
    correct: async (uuid: string, correction: T.Correction, call?: CallOptions): Promise<T.Garment> =>
      await patch(garmentPath, { ...call, query: { uuid }, body: correction }),

    /**
     * Makes a new garment of some pictures of a garment, by their ids, and returns it. Both garments are tagged again.
     * Splitting the same pictures off twice changes nothing. `correct` with `images` moves pictures to another garment.
     */
    split: async (uuid: string, split: T.Split, call?: CallOptions): Promise<T.Garment> =>
      await post('/garment-tagging/garment/split', { ...call, query: { uuid }, body: split, repeatable: true }),

    /** Deletes a garment in any state. A later upload with its uuid is a new garment. 404 if it does not exist. */
    delete: async (uuid: string, call?: CallOptions): Promise<void> =>
      await remove(garmentPath, { ...call, query: { uuid } }),

    /** Reserves stock numbers for garments that do not exist yet, such as for printed labels. */
    reserveNumbers: async (count: number, call?: CallOptions): Promise<T.ReservedNumbers> =>
      await post('/garment-tagging/numbers', { ...call, body: { count } }),

    /** Returns the item types, the attributes with their values, and the names of measurements. */
    getTaxonomy: async (call?: CallOptions): Promise<T.Taxonomy> => await get('/garment-tagging/taxonomy', call),

    /** Returns one page of garments, newest first. With `q`, only garments that contain its words. */
    garmentsPage: async (query: T.GarmentsQuery = {}, call?: CallOptions): Promise<T.GarmentPage> =>
      await get('/garment-tagging/garments', { ...call, query }),

    /** Iterates over all pages of `garmentsPage`. */
    async *garments(query: Omit<T.GarmentsQuery, 'cursor'> = {}, call?: CallOptions) {
      let cursor: string | null = null
      do {
        const page: T.GarmentPage = await methods.garmentsPage({ ...query, cursor }, call)
        yield* page.garments
        cursor = page.next_cursor
      } while (cursor !== null)
    },

    /** Returns one page of the export, oldest garments first. */
    exportPage: async (query: T.ExportQuery = {}, call?: CallOptions): Promise<T.ExportPage> =>
      await get(exportPath, { ...call, query }),

    /** Returns one page of the export as CSV with a header. */
    async exportCsvPage(
      query: T.ExportQuery = {},
      call?: CallOptions,
    ): Promise<{ csv: string; next_cursor: string | null }> {
      const request = { scope: 'tenant', method: 'GET', path: exportPath, repeatable: true } as const
      const { headers, text } = await send(options, { ...request, ...call, query: { ...query, format: 'csv' } })
      return { csv: text, next_cursor: nextCursorOf(headers) }
    },

    /** Returns one page of a shop's file with a header, and the number of garments of the page that it leaves out. */
    async exportShopPage(
      format: 'shopify' | 'ebay' | 'google' | 'woocommerce' | 'vinted',
      query: T.ShopExportQuery = {},
      call?: CallOptions,
    ): Promise<{ csv: string; omitted: number; next_cursor: string | null }> {
      const request = { scope: 'tenant', method: 'GET', path: exportPath, repeatable: true } as const
      const { headers, text } = await send(options, { ...request, ...call, query: { ...query, format } })
      return { csv: text, omitted: Number(headers.get('x-omitted')), next_cursor: nextCursorOf(headers) }
    },

    /** Returns why garments of a page are left out of a shop's file, or have problems in it. */
    exportReport: async (
      format: 'shopify' | 'ebay' | 'google' | 'woocommerce' | 'vinted',
      query: T.ShopExportQuery = {},
      call?: CallOptions,
    ): Promise<T.ExportReport> => await get(exportPath, { ...call, query: { ...query, format, report: '1' } }),

    /** Iterates over all pages of `exportPage`. */
    async *exportGarments(filter: T.ExportFilter = {}, call?: CallOptions): AsyncGenerator<T.ExportedGarment> {
      let cursor: string | null = null
      do {
        const page: T.ExportPage = await methods.exportPage({ ...filter, cursor }, call)
        yield* page.garments
        cursor = page.next_cursor
      } while (cursor !== null)
    },

    /**
     * Imports up to 10,000 garments in the background. `lines` is the text of a CSV file, or a list of uploads.
     * Garments that exist already stay unchanged.
     */
    async importGarments(
      lines: string | readonly T.Upload[],
      { name, overwrite, columns, ...call }: CallOptions & ImportOptions = {},
    ): Promise<T.StoredImport> {
      const content =
        typeof lines === 'string'
          ? { type: 'text/csv', body: lines }
          : { type: 'application/x-ndjson', body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') }
      const query = { name, overwrite: overwrite?.toString(), columns: columns && JSON.stringify(columns) }
      return await post(importPath, { ...call, query, content, repeatable: true })
    },

    /** Returns the progress of an import and one page of its lines. 404 if it does not exist. */
    getImport: async (id: string, page: T.ImportPageQuery = {}, call?: CallOptions): Promise<T.Import> =>
      await get(importPath, { ...call, query: { id, ...page } }),

    /** Returns one page of the imports, newest first. */
    importsPage: async (page: Omit<T.ImportPageQuery, 'status'> = {}, call?: CallOptions): Promise<T.ImportList> =>
      await get(importPath, { ...call, query: page }),

    /** Pauses or resumes an import. */
    pauseImport: async (id: string, paused: boolean, call?: CallOptions): Promise<void> =>
      await put(importPath, { ...call, body: { id, paused } }),
  }
  return methods
}
