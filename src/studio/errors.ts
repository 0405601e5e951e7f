import { ApiError } from '../http/errors.ts'
import { maxStudios } from './fields.ts'

export const studioNotFound = () =>
  new ApiError('studio_not_found', 'Studio not found', ['There is no studio of this name.'])

export const tooManyStudios = () =>
  new ApiError('too_many_studios', 'Too many studios', [
    `A tenant has at most ${maxStudios} studios; remove one first.`,
  ])
