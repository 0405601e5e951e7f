import { Buffer } from 'node:buffer'
import { minuteMs } from '../../time.ts'
import { arriving, withTimeout } from '../limits/deadline.ts'
import { boundName } from '../limits/bound-text.ts'
import { ApiError, maxBodyMs } from './errors.ts'
import { notUtf8 } from './text.ts'

/** All that comes before the file. */
const maxFieldBytes = 64 * 1024

/** For 20 MiB, at about 0.3 Mbit/s. Shorter than what is left of an interrupted upload or a deleted tenant is kept. */
const maxFileMs = 10 * minuteMs

/** All files of a form; below the 100 MB that the platform takes. */
const maxFormBytes = 95_000_000

export interface MultipartFile {
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly body: ReadableStream<Uint8Array>
  /** All files of a form that may have several, once `body` was read. */
  readonly parts?: () => readonly FilePart[]
}

/** One of several files of a form, which were read as one: where it is in them, with what names it. */
interface FilePart {
  readonly offset: number
  readonly length: number
  /** The file, from a stream of these bytes. Throws 400 if they are no file. */
  readonly open: (bytes: ReadableStream<Uint8Array>) => Promise<MultipartFile>
}

export interface MultipartForm {
  readonly fields: Readonly<Record<string, string>>
  readonly file: MultipartFile
}

interface FormLimits {
  /** What each file may have. */
  readonly maxFileBytes: number
  readonly maxFiles?: number
  readonly arrivalMs?: number
}

/**
 * Reads a `multipart/form-data` body whose last part is a file, or whose last parts are up to `maxFiles`. The file is
 * passed on as it arrives, and is never in memory as a whole; its size is known from the beginning, because storage
 * asks for it. Nothing says before the end of a form whether another file follows, so several files are passed on as
 * one with `parts`. The stream fails if the body ends early or has not arrived within `arrivalMs`. Throws 400, 411, 413
 * or 415.
 */
export async function readMultipart(
  request: Request,
  { maxFileBytes, maxFiles = 1, arrivalMs = maxFileMs }: FormLimits,
): Promise<MultipartForm> {
  const boundary = /^multipart\/form-data\s*;.*boundary="?([^";]{1,70})"?/i.exec(
    request.headers.get('content-type') ?? '',
  )?.[1]
  if (boundary === undefined || request.body === null) throw notMultipart()
  const length = Number(request.headers.get('content-length') ?? NaN)
  if (!Number.isSafeInteger(length)) throw lengthRequired()
  const maxBytes = maxFiles === 1 ? maxFileBytes : maxFormBytes
  const tooLarge = () => (maxFiles === 1 ? fileTooLarge(maxFileBytes) : filesTooLarge())
  if (length > maxBytes + 2 * maxFieldBytes) throw tooLarge()

  const reader = arriving(request.body, arrivalMs, fileTooLate).getReader()
  const { fields, name, rest, before } = await withTimeout(maxBodyMs, fieldsTooLate, async (signal) => {
    signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}))
    return await readUpToFile(reader, boundary)
  })
  const end = new TextEncoder().encode(`\r\n--${boundary}--\r\n`)
  const size = length - before - end.length
  if (size < 0) throw malformedForm()
  if (size > maxBytes) throw tooLarge()
  const starts = [0]
  const body = fileStream(reader, { start: rest, size, end, starts, maxFileBytes, maxFiles })
  // Each but the first begins with its headers, and ends before the line end that the next one's boundary follows.
  const parts = () =>
    starts.map((offset, place): FilePart => {
      const partLength = (starts[place + 1] ?? size + 2) - 2 - offset
      const open = async (bytes: ReadableStream<Uint8Array>) => {
        const part = place === 0 ? { name, size: partLength, body: bytes } : await openPart(bytes, partLength, boundary)
        if (part.size > maxFileBytes) throw fileTooLarge(maxFileBytes)
        return part
      }
      return { offset, length: partLength, open }
    })
  return { fields, file: { name, size, body, ...(maxFiles > 1 && { parts }) } }
}

/** A file behind another one, from the bytes of its part. */
async function openPart(bytes: ReadableStream<Uint8Array>, length: number, boundary: string): Promise<MultipartFile> {
  const reader = bytes.getReader()
  const { name, rest, before } = await readUpToFile(reader, boundary)
  return { name, size: length - before, body: streamAfter(rest.length > 0 ? [rest] : [], reader) }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** What was read of a stream already, and then what its reader has left. */
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

export const notMultipart = () =>
  new ApiError('unsupported_media_type', 'Unsupported form', [
    'Send multipart/form-data with a boundary, and the file as its last part.',
  ])

export const lengthRequired = () =>
  new ApiError('length_required', 'Length required', ['The request must say its length (Content-Length).'])

export const malformedForm = () =>
  new ApiError('malformed_body', 'Malformed form', [
    'The form is incomplete, or its last part is no file; send its fields first and its file or files last.',
  ])

const formWithoutFile = () =>
  new ApiError('malformed_body', 'Malformed form', [
    'The form has no file: add it as the last part, with a filename, or send the address of the picture as JSON.',
  ])

const namelessPart = () =>
  new ApiError('malformed_body', 'Malformed form', [
    'Every part of the form needs a name, such as Content-Disposition: form-data; name="uuid".',
  ])

const fileNotLast = () =>
  new ApiError('malformed_body', 'File not last', [
    'A form takes one file, as its last part: send its fields before it, and further pictures by POST /garment-tagging/pictures?uuid=.',
  ])

const tooManyFiles = (maxFiles: number) =>
  new ApiError('malformed_body', 'Too many files', [`image: a form takes at most ${maxFiles} files`])

const unendedForm = () =>
  new ApiError('malformed_body', 'Malformed form', [
    'The form lacks the line end (CRLF) after its closing boundary, or broke off before it; send it with one.',
  ])

const fieldsTooLate = () =>
  new ApiError('malformed_body', 'Form too late', [
    `What comes before the file did not arrive within ${maxBodyMs / 1000} s; use a faster connection.`,
  ])

const fileTooLate = () =>
  new ApiError('malformed_body', 'File too late', [
    `The file did not arrive within ${maxFileMs / minuteMs} minutes; use a faster connection.`,
  ])

export const fileTooLarge = (maxBytes: number) =>
  new ApiError('body_too_large', 'File too large', [`The file may have at most ${maxBytes / 1024 / 1024} MiB.`])

export const filesTooLarge = () =>
  new ApiError('body_too_large', 'Files too large', [
    `The files of one call may have at most ${maxFormBytes / 1_000_000} MB together; add the others by POST /garment-tagging/pictures?uuid=.`,
  ])

/** A failure of one of several files, counted from 0, in whose sentences its place stands in front. */
export const placed = (error: unknown, place: number) =>
  error instanceof ApiError
    ? new ApiError(
        error.code,
        error.message,
        error.problems.map((problem) => `image ${place + 1}: ${problem.replace(/^image: /, '')}`),
        error.headers,
      )
    : error

/** One character for each byte, so that positions in the text are positions in the bytes. */
function toByteString(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return text
}

/** Throws 400 for bytes that are not UTF-8. */
function utf8(text: string, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(
      Uint8Array.from(text, (character) => character.charCodeAt(0)),
    )
  } catch {
    throw notUtf8(what)
  }
}

/** Reads all before the file's bytes: `rest` is what was read of those, `before` their position. */
async function readUpToFile(reader: Reader, boundary: string) {
  let bytes: Uint8Array = new Uint8Array()
  let parsedLength = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (!done) bytes = concatenate(bytes, value)
    const isLast = done || bytes.length >= maxFieldBytes
    // Only once there is twice as much, so that a form that arrives byte by byte is not parsed again for each of them.
    if (!isLast && bytes.length < 2 * parsedLength) continue
    parsedLength = bytes.length
    const parsed = parseStart(toByteString(bytes.subarray(0, maxFieldBytes)), `--${boundary}`)
    if (parsed !== null)
      return { fields: parsed.fields, name: parsed.fileName, rest: bytes.subarray(parsed.end), before: parsed.end }
    if (isLast) throw malformedForm()
  }
}

/** The fields and the file's name, and where its bytes begin; null if more of the text is needed. */
function parseStart(text: string, delimiter: string) {
  const fields: Record<string, string> = {}
  let at = 0
  for (;;) {
    if (text.length < at + delimiter.length + 2) return null
    if (text.startsWith(`${delimiter}--`, at)) throw formWithoutFile()
    if (!text.startsWith(`${delimiter}\r\n`, at)) throw malformedForm()
    const headersEnd = text.indexOf('\r\n\r\n', at)
    if (headersEnd === -1) return null
    const { name, fileName } = parseHeaders(text.slice(at, headersEnd))
    const contentStart = headersEnd + 4
    if (fileName !== undefined) return { fields, fileName, end: contentStart }
    const contentEnd = text.indexOf(`\r\n${delimiter}`, contentStart)
    if (contentEnd === -1) return null
    fields[name] = utf8(
      text.slice(contentStart, contentEnd),
      `The form's part ${boundName(name)}, a text since it has no filename,`,
    )
    at = contentEnd + 2
  }
}

function parseHeaders(headers: string): { name: string; fileName: string | undefined } {
  const disposition = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(headers)?.[1] ?? ''
  // One after another, because a quoted value may look like a parameter. .NET does not quote them.
  const parameters = disposition.matchAll(/;\s*([^\s;="]+)=(?:"([^"]*)"|([^\s;"]+))/g)
  const values = new Map(Array.from(parameters, ([, key = '', quoted, token]) => [key.toLowerCase(), quoted ?? token]))
  // Some clients write names that are not ASCII as headers of HTTP have them: `filename*=UTF-8''Gr%C3%B6%C3%9Fe.jpg`.
  const fileName = values.get('filename') ?? values.get('filename*')?.replace(/^.*'/, '')
  const name = values.get('name')
  if (name === undefined) throw namelessPart()
  // Browsers escape quotes and line ends only.
  return {
    name: utf8(name, "The name of a form's part"),
    fileName: fileName === undefined ? undefined : utf8(fileName, "The file's name").replaceAll('%22', '"'),
  }
}

interface FileBytes {
  /** The bytes that were read already. */
  readonly start: Uint8Array
  readonly size: number
  /** What has to follow them. */
  readonly end: Uint8Array
  /** Filled with where files begin: the first at 0, each other one with its boundary. */
  readonly starts: number[]
  readonly maxFileBytes: number
  readonly maxFiles: number
}

/**
 * Passes on `size` bytes and checks that the end of the form follows, and that no other part is among them, or no more
 * and no larger ones than may be.
 */
function fileStream(reader: Reader, bytes: FileBytes): ReadableStream<Uint8Array> {
  const { size, end, starts, maxFileBytes, maxFiles } = bytes
  let left = size
  let tail: Uint8Array = new Uint8Array()
  const nextPart = Buffer.from(end.subarray(0, -2)).fill('\r\n', end.length - 4)
  let [former, formerEnd] = [Buffer.alloc(0), 0]
  /** Finds where parts begin, also across chunks. */
  const find = (chunk: Uint8Array) => {
    const around = Buffer.concat([former, chunk])
    const aroundStart = formerEnd - former.length
    // No more than it takes to refuse them: a form may have millions.
    for (
      let at = around.indexOf(nextPart);
      at !== -1 && starts.length <= maxFiles;
      at = around.indexOf(nextPart, at + 1)
    )
      starts.push(aroundStart + at + 2)
    former = around.subarray(Math.max(0, around.length - nextPart.length + 1))
    formerEnd += chunk.length
  }
  /** What is wrong with the files as far as they were read; null while nothing is. */
  const problem = () => {
    if (maxFiles === 1) return null
    if (starts.length > maxFiles) return tooManyFiles(maxFiles)
    const isLong = (to: number, place: number) => to - (starts[place] ?? 0) > maxFileBytes + maxFieldBytes
    const place = [...starts.slice(1), formerEnd].findIndex(isLong)
    const isOnly = starts.length === 1
    if (place === -1) return isOnly && left === 0 && size > maxFileBytes ? fileTooLarge(maxFileBytes) : null
    return isOnly ? fileTooLarge(maxFileBytes) : placed(fileTooLarge(maxFileBytes), place)
  }
  const take = (chunk: Uint8Array, controller: ReadableStreamDefaultController<Uint8Array>) => {
    find(chunk)
    const ofFile = chunk.subarray(0, left)
    left -= ofFile.length
    if (ofFile.length > 0) controller.enqueue(ofFile)
    if (ofFile.length < chunk.length) tail = concatenate(tail, chunk.subarray(ofFile.length))
  }
  return new ReadableStream<Uint8Array>({
    start: (controller) => take(bytes.start, controller),
    async pull(controller) {
      const before = left
      // The last bytes of the file are held until the end of the form has been seen.
      while (left === before || left === 0) {
        const found = problem()
        if (found !== null) {
          await reader.cancel(found)
          return controller.error(found)
        }
        const { value, done } = await reader.read()
        if (!done) take(value, controller)
        else if (starts.length > maxFiles) return controller.error(fileNotLast())
        else if (left === 0 && toByteString(tail) === toByteString(end)) return controller.close()
        // The size of the file was counted with that line end, so its last two bytes are here.
        else if (toByteString(tail.subarray(2)) === toByteString(end.subarray(0, -2)))
          return controller.error(unendedForm())
        else return controller.error(malformedForm())
      }
    },
    cancel: async (reason) => await reader.cancel(reason),
  })
}

function concatenate(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
