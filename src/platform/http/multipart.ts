import { Buffer } from 'node:buffer'
import { minuteMs } from '../../time.ts'
import { arriving, withTimeout } from '../limits/deadline.ts'
import { boundName } from '../limits/bound-text.ts'
import { ApiError, maxBodyMs } from './errors.ts'
import { notUtf8 } from './text.ts'

/** Limit on the bytes before the file. */
const maxFieldBytes = 64 * 1024

/** Time to send 20 MiB at about 0.3 Mbit/s. */
const maxFileMs = 10 * minuteMs

/** Limit on all files of a form together. The platform accepts bodies of up to 100 MB. */
const maxFormBytes = 95_000_000

export interface MultipartFile {
  readonly name: string
  readonly size: number
  readonly body: ReadableStream<Uint8Array>
  /** Returns the files of the form, once `body` is read. */
  readonly parts?: () => readonly FilePart[]
}

/** Position of a file in the body of its form. */
interface FilePart {
  readonly offset: number
  readonly length: number
  /** Opens the file in a stream of these bytes. Throws 400 if they are not a file. */
  readonly open: (bytes: ReadableStream<Uint8Array>) => Promise<MultipartFile>
}

export interface MultipartForm {
  readonly fields: Readonly<Record<string, string>>
  readonly file: MultipartFile
}

interface FormLimits {
  readonly maxFileBytes: number
  readonly maxFiles?: number
  readonly arrivalMs?: number
}

/**
 * Reads a `multipart/form-data` body (RFC 2046) whose last parts are up to `maxFiles` files. Streams the files, so that
 * they are never in memory as a whole.
 *
 * Storage needs a stream's length, which the form does not state. So `body` contains all bytes except the usual end of
 * a form. It is the file itself if the form has one file and this end. Otherwise `parts` finds the files in `body`. The
 * stream fails if the form ends early or takes longer than `arrivalMs`. Throws 400, 411, 413 or 415.
 */
export async function readMultipart(
  request: Request,
  { maxFileBytes, maxFiles = 1, arrivalMs = maxFileMs }: FormLimits,
): Promise<MultipartForm> {
  const boundary = /^multipart\/form-data\s*;.*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(
    request.headers.get('content-type') ?? '',
  )
  if (boundary === null || request.body === null) throw notMultipart()
  const delimiter = `--${boundary[1] ?? boundary[2]}`
  const length = Number(request.headers.get('content-length') ?? NaN)
  if (!Number.isSafeInteger(length)) throw lengthRequired()
  const maxBytes = maxFiles === 1 ? maxFileBytes : maxFormBytes
  const tooLarge = () => (maxFiles === 1 ? fileTooLarge(maxFileBytes) : filesTooLarge())
  if (length > maxBytes + 2 * maxFieldBytes) throw tooLarge()

  const reader = arriving(request.body, arrivalMs, fileTooLate).getReader()
  const { fields, name, rest, before } = await withTimeout(maxBodyMs, fieldsTooLate, async (signal) => {
    signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}))
    return await readUpToFile(reader, delimiter)
  })
  const size = Math.max(0, length - before - `\r\n${delimiter}--\r\n`.length)
  if (size > maxBytes) throw tooLarge()
  const scan = createScan(delimiter, maxFiles)
  const { body, tail } = fileStream(reader, { start: rest, size, scan, maxFileBytes, maxFiles })
  const parts = () =>
    scan.parts().map(({ offset, length: partLength }, place): FilePart => {
      const open = async (bytes: ReadableStream<Uint8Array>) => {
        const whole = followedBy(bytes, tail().subarray(0, Math.max(0, offset + partLength - size)))
        const part =
          place === 0 ? { name, size: partLength, body: whole } : await openPart(whole, partLength, delimiter)
        if (part.size > maxFileBytes) throw fileTooLarge(maxFileBytes)
        return part
      }
      return { offset, length: partLength, open }
    })
  return { fields, file: { name, size, body, parts } }
}

/** Opens a file after the first one, from the bytes of its part including headers. */
async function openPart(bytes: ReadableStream<Uint8Array>, length: number, delimiter: string): Promise<MultipartFile> {
  const reader = bytes.getReader()
  const { name, rest, before } = await readUpToFile(reader, delimiter)
  return { name, size: length - before, body: streamAfter(rest.length > 0 ? [rest] : [], reader) }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Streams `chunks`, then the rest of `reader`. */
export const streamAfter = (chunks: readonly Uint8Array[], reader: Reader): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
    },
    async pull(controller) {
      const { value, done } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async (reason) => await reader.cancel(reason),
  })

const followedBy = (stream: ReadableStream<Uint8Array>, end: Uint8Array) =>
  end.length === 0
    ? stream
    : stream.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({ flush: (controller) => controller.enqueue(end) }),
      )

export const notMultipart = () =>
  new ApiError('unsupported_media_type', 'Unsupported form', [
    'Send multipart/form-data with a boundary, and the file as its last part.',
  ])

export const lengthRequired = () =>
  new ApiError('length_required', 'Length required', ['The request must say its length (Content-Length).'])

export const malformedForm = () =>
  new ApiError('malformed_body', 'Malformed form', [
    'The form is incomplete, or its last part is not a file. Send the fields first and the files last.',
  ])

const formWithoutFile = () =>
  new ApiError('malformed_body', 'Malformed form', [
    'The form has no file. Add the file as the last part, with a filename, or send the URL of the picture as JSON.',
  ])

const namelessPart = () =>
  new ApiError('malformed_body', 'Malformed form', [
    'Every part of the form needs a name, such as Content-Disposition: form-data; name="uuid".',
  ])

const fileNotLast = () =>
  new ApiError('malformed_body', 'File not last', [
    'A form takes one file, as its last part. Send the fields before it, and further pictures by POST /garment-tagging/pictures?uuid=.',
  ])

const tooManyFiles = (maxFiles: number) =>
  new ApiError('malformed_body', 'Too many files', [`image: a form takes at most ${maxFiles} files`])

const fieldsTooLate = () =>
  new ApiError('malformed_body', 'Form too late', [
    `The fields before the file did not arrive within ${maxBodyMs / 1000} s. Use a faster connection.`,
  ])

const fileTooLate = () =>
  new ApiError('malformed_body', 'File too late', [
    `The file did not arrive within ${maxFileMs / minuteMs} minutes. Use a faster connection.`,
  ])

export const fileTooLarge = (maxBytes: number) =>
  new ApiError('body_too_large', 'File too large', [`The file may have at most ${maxBytes / 1024 / 1024} MiB.`])

export const filesTooLarge = () =>
  new ApiError('body_too_large', 'Files too large', [
    `The files of one call may have at most ${maxFormBytes / 1_000_000} MB together. Add the others by POST /garment-tagging/pictures?uuid=.`,
  ])

/** Begins each sentence of a file's failure with its number. `place` counts from 0. */
export const withImageNumber = (error: unknown, place: number) =>
  error instanceof ApiError
    ? new ApiError(
        error.code,
        error.message,
        error.problems.map((problem) => `image ${place + 1}: ${problem.replace(/^image: /, '')}`),
        error.headers,
      )
    : error

/** Returns one character per byte, so that positions in text and bytes are equal. */
function toByteString(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return text
}

function utf8(text: string, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
    )
  } catch {
    throw notUtf8(what)
  }
}

/** Reads up to the file. `rest` holds the bytes of the file that were read, `before` their position. */
async function readUpToFile(reader: Reader, delimiter: string) {
  let bytes: Uint8Array = new Uint8Array()
  let parsedLength = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (!done) bytes = concatenate(bytes, value)
    const isLast = done || bytes.length >= maxFieldBytes
    // Waits for twice as many bytes, so that a slow form is parsed only a few times.
    if (!isLast && bytes.length < 2 * parsedLength) continue
    parsedLength = bytes.length
    const parsed = parseStart(toByteString(bytes.subarray(0, maxFieldBytes)), delimiter)
    if (parsed !== null)
      return { fields: parsed.fields, name: parsed.fileName, rest: bytes.subarray(parsed.end), before: parsed.end }
    if (isLast) throw malformedForm()
  }
}

/** Matches a delimiter, blanks after it (RFC 2046), and the closing hyphens or line end. */
const delimiterLine = (delimiter: string) =>
  new RegExp(`(?:^|\\r\\n)${delimiter.replaceAll(/[^\w-]/g, '\\$&')}(?:(--)|[ \\t]*\\r\\n)`, 'g')

/** Parses the fields, the file's name and its position. Returns null if more text is needed. */
function parseStart(text: string, delimiter: string) {
  const fields: Record<string, string> = {}
  const line = delimiterLine(delimiter)
  // Readers ignore a preamble before the first delimiter.
  for (let found = line.exec(text); found !== null;) {
    if (found[1] !== undefined) throw formWithoutFile()
    const headersStart = line.lastIndex
    // Includes the line end before the headers, which also ends a part without headers.
    const headersEnd = text.indexOf('\r\n\r\n', headersStart - 2)
    if (headersEnd === -1) return null
    const { name, fileName } = parseHeaders(text.slice(headersStart, headersEnd))
    const contentStart = headersEnd + 4
    if (fileName !== undefined) return { fields, fileName, end: contentStart }
    line.lastIndex = contentStart
    found = line.exec(text)
    if (found === null) return null
    fields[name] = utf8(
      text.slice(contentStart, found.index),
      `The form's part ${boundName(name)}, a text since it has no filename,`,
    )
  }
  return null
}

function parseHeaders(headers: string): { name: string; fileName: string | undefined } {
  const disposition = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(headers)?.[1] ?? ''
  // Parsed in order, because a quoted value may look like a parameter. .NET does not quote values.
  const parameters = disposition.matchAll(/;\s*([^\s;="]+)=(?:"([^"]*)"|([^\s;"]+))/g)
  const values = new Map(Array.from(parameters, ([, key = '', quoted, token]) => [key.toLowerCase(), quoted ?? token]))
  // Some clients encode names as HTTP headers do: `filename*=UTF-8''Gr%C3%B6%C3%9Fe.jpg`.
  const fileName = values.get('filename') ?? values.get('filename*')?.replace(/^.*'/, '')
  const name = values.get('name')
  if (name === undefined) throw namelessPart()
  // Browsers escape only quotes and line ends.
  return {
    name: utf8(name, "The name of a form's part"),
    fileName: fileName === undefined ? undefined : utf8(fileName, "The file's name").replaceAll('%22', '"'),
  }
}

/** More blanks after a delimiter than any known client sends. */
const maxPadding = 64

/** Finds where the parts of a form start and end, in bytes that arrive in chunks. */
function createScan(delimiter: string, maxParts: number) {
  const needle = Buffer.from(`\r\n${delimiter}`)
  const starts = [0]
  const ends: number[] = []
  let isClosed = false
  let unscanned = Buffer.alloc(0)
  let position = 0
  return {
    add(chunk: Uint8Array): void {
      const bytes = Buffer.concat([unscanned, chunk])
      const bytesStart = position - unscanned.length
      position += chunk.length
      let at = 0
      // Stops after `maxParts`, because a form may have millions of parts.
      while (!isClosed && ends.length < maxParts) {
        const found = bytes.indexOf(needle, at)
        if (found === -1) break
        const next = found + needle.length
        const after = toByteString(bytes.subarray(next, next + maxPadding + 2))
        const [line, closing] = /^(?:(--)|[ \t]*\r\n)/.exec(after) ?? []
        if (line !== undefined) {
          isClosed = closing !== undefined
          ends.push(bytesStart + found)
          if (!isClosed) starts.push(bytesStart + found + 2)
        } else if (after.length < maxPadding + 2 && /^(?:-|[ \t]*\r?)$/.test(after)) {
          unscanned = bytes.subarray(found)
          return
        }
        at = next
      }
      unscanned = bytes.subarray(Math.max(at, bytes.length - needle.length + 1))
    },
    isClosed: () => isClosed,
    count: () => starts.length,
    parts: () => starts.map((offset, place) => ({ offset, length: (ends[place] ?? position) - offset })),
  }
}

interface FileBytes {
  /** The bytes of the file that are already read. */
  readonly start: Uint8Array
  readonly size: number
  readonly scan: ReturnType<typeof createScan>
  readonly maxFileBytes: number
  readonly maxFiles: number
}

/**
 * Passes on `size` bytes. Fails unless the form is complete, without too many or too large files. `tail` returns the
 * remaining bytes.
 */
function fileStream(reader: Reader, { start, size, scan, maxFileBytes, maxFiles }: FileBytes) {
  let left = size
  let tail: Uint8Array = new Uint8Array()
  const findProblem = () => {
    if (maxFiles === 1) return null
    if (scan.count() > maxFiles) return tooManyFiles(maxFiles)
    const parts = scan.parts()
    const place = parts.findIndex(({ length }) => length > maxFileBytes + maxFieldBytes)
    if (place !== -1)
      return parts.length === 1 ? fileTooLarge(maxFileBytes) : withImageNumber(fileTooLarge(maxFileBytes), place)
    const isTooLarge = scan.isClosed() && parts.length === 1 && (parts[0]?.length ?? 0) > maxFileBytes
    return isTooLarge ? fileTooLarge(maxFileBytes) : null
  }
  const take = (chunk: Uint8Array, controller: ReadableStreamDefaultController<Uint8Array>) => {
    scan.add(chunk)
    const bodyBytes = chunk.subarray(0, left)
    left -= bodyBytes.length
    if (bodyBytes.length > 0) controller.enqueue(bodyBytes)
    if (bodyBytes.length < chunk.length) tail = concatenate(tail, chunk.subarray(bodyBytes.length))
  }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => take(start, controller),
    async pull(controller) {
      const before = left
      // The stream stays open until the end of the form is read.
      while (left === before || left === 0) {
        const problem = findProblem()
        if (problem !== null) {
          await reader.cancel(problem)
          return controller.error(problem)
        }
        const { value, done } = await reader.read()
        if (!done) take(value, controller)
        else if (scan.count() > maxFiles) return controller.error(fileNotLast())
        else if (left === 0 && scan.isClosed()) return controller.close()
        else return controller.error(malformedForm())
      }
    },
    cancel: async (reason) => await reader.cancel(reason),
  })
  return { body, tail: () => tail }
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
