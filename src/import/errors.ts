import { ApiError } from '../http/errors.ts'
import { maxLines, maxOpenImports } from './store/limits.ts'

export const importNotFound = () =>
  new ApiError('import_not_found', 'Import not found', ['You have no import with this id.'])

export const unusableFile = (problem: string) => new ApiError('unusable_file', 'The file cannot be used', [problem])

export const unsupportedFile = (formats: string, given: string | undefined) =>
  new ApiError('unsupported_media_type', 'Unsupported file', [
    `image: must be a ${formats} file${given === undefined ? '' : `, not ${given}`}`,
  ])

export const tooManyFiles = () =>
  new ApiError('too_many_files', 'Too many files', [
    `An import has at most ${maxLines.toLocaleString('en-US')} files; reload the page to begin another.`,
  ])

export const tooManyImports = () =>
  new ApiError('too_many_imports', 'Too many imports', [
    `At most ${maxOpenImports} imports can be under way; wait until one has ended.`,
  ])

export const tooManyFilesRead = () =>
  new ApiError('overloaded', 'Service overloaded', ['Other files are being imported; try again in a moment.'], {
    'Retry-After': '10',
  })
