import { z } from '@hono/zod-openapi'

/** The query parameter `limit` of a list. */
export const pageLimit = (max: number, standard = max) =>
  z.coerce.number('must be a number').int('must be a whole number').min(1).max(max).default(standard)
