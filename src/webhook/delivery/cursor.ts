import { ApiError } from '../../http/errors.ts'

/** A cursor is the place of the last row that was shown: its time and its id. */
export const placeOf = (at: number, id: string) => `${at}_${id}`

export function parsePlace(cursor: string): { at: number; id: string } {
  const [, at, id] = /^(\d{1,15})_([\w.-]{1,64})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined)
    throw new ApiError(400, 'Invalid request', ['cursor: must be a next_cursor'])
  return { at: Number(at), id }
}
