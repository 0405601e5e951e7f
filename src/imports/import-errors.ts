import { formatCount } from '../platform/format-count.ts'
import { ApiError } from '../platform/http/errors.ts'
import { toRetryAfter } from '../platform/http/retry-after.ts'
import { dayMs } from '../time.ts'

export const maxLines = 10_000

/** Fits a uuid, a URL and 50 attributes of maximum length, all quoted. */
export const maxLineLength = 40_000

export const maxColumns = 300

export const maxRefusedBytes = 16 * 1024

export const maxCsvBytes = 8 * 1024 * 1024

export const maxOpenImports = 20

export const unusableFile = (problem: string) => new ApiError('unusable_file', 'The file cannot be used', [problem])

export const importTooLarge = () =>
  new ApiError('body_too_large', 'File too large', [`A file may have at most ${maxCsvBytes / 1024 / 1024} MiB.`])

export const notLines = () =>
  new ApiError('unsupported_media_type', 'Unsupported media type', [
    'Send the file with Content-Type: text/csv or application/x-ndjson.',
  ])

export const tooManyFiles = () =>
  new ApiError('too_many_files', 'Too many files', [
    `An import has at most ${formatCount(maxLines)} files; reload the page to begin another.`,
  ])

export const tooManyImports = () =>
  new ApiError(
    'too_many_imports',
    'Too many imports',
    [`At most ${maxOpenImports} imports can run at a time; wait until one has ended.`],
    { 'Retry-After': '60' },
  )

export const tooManyLinesToday = (most: number, nowMs: number) =>
  new ApiError(
    'quota_exceeded',
    'Quota exceeded',
    [`A tenant imports at most ${formatCount(most)} lines a day; the next day begins at 00:00 UTC.`],
    { 'Retry-After': toRetryAfter(dayMs - (nowMs % dayMs)) },
  )

export const tooManyBeingSent = () =>
  new ApiError(
    'too_many_imports',
    'Too many imports',
    ['Other files of yours are still being received; send one file at a time.'],
    {
      'Retry-After': '10',
    },
  )

export const fileTooLate = (seconds: number) =>
  new ApiError('malformed_body', 'File too late', [
    `The file did not arrive within ${seconds} s; send fewer lines at a time, or use a faster connection.`,
  ])

export const tooManyFilesRead = () =>
  new ApiError('overloaded', 'Service overloaded', ['Other files are being imported; try again in a moment.'], {
    'Retry-After': '10',
  })
