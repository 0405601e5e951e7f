import { formatCount } from '../platform/format-count.ts'
import { ApiError } from '../platform/http/errors.ts'

/** @param differences what differs, and which call helps */
export const uuidConflict = (differences: readonly string[]) =>
  new ApiError('uuid_conflict', 'Garment already exists', [
    'uuid: it was uploaded before with another image_url or attribute',
    ...differences,
  ])

export const uuidInBin = () =>
  new ApiError('uuid_conflict', 'Garment in the bin', [
    'uuid: this garment is in the bin; take it out or delete it for ever in the dashboard, or use another uuid',
  ])

export const notReserved = (number: number) =>
  `number: ${number} is not reserved; leave it out to get the next one, or print blank labels to reserve numbers`

export const numberNotReserved = (number: number) =>
  new ApiError('invalid_body', 'Invalid number', [notReserved(number)])

export const tooManyWaiting = (maxWaiting: number) =>
  new ApiError(
    'too_many_waiting',
    'Too many garments waiting',
    [`A tenant has at most ${formatCount(maxWaiting)} garments waiting; upload this one again later.`],
    { 'Retry-After': '60' },
  )

export const pictureNotFound = () => new ApiError('not_found', 'Not found', ['There is no such picture.'])

export const cutoutNotFound = () =>
  new ApiError('not_found', 'Not found', [
    'There is no cut-out of this picture: the garment is worn or shown in part, or its outline is not sure.',
  ])

export const unsupportedFile = (formats: string, given: string | undefined) =>
  new ApiError('unsupported_media_type', 'Unsupported file', [
    `image: must be a ${formats} file${given === undefined ? '' : `, not ${given}`}`,
  ])
