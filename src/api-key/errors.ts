import { ApiError } from '../http/errors.ts'

export const maxLiveKeys = 20

export const apiKeyNotFound = () =>
  new ApiError('api_key_not_found', 'API key not found', ['There is no live key with this id.'])

export const tooManyApiKeys = () =>
  new ApiError('too_many_api_keys', 'Too many API keys', [
    `A tenant has at most ${maxLiveKeys} live keys; revoke one first.`,
  ])
