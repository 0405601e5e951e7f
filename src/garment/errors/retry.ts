import { z } from '@hono/zod-openapi'
import { parseStored, sentenceOf, storeText } from '../../db/stored-text.ts'
import type { ImageError } from '../../outbound/image-error.ts'
import { toIso } from '../../time.ts'
import { failureCode, failureCodes, failureSentences } from './failure.ts'

export const retrySchema = z
  .object({
    failure_code: z.enum(failureCodes).openapi({ description: 'Why the latest try failed, for programs.' }),
    failure_reason: z.string().openapi({ description: 'The same as a sentence.' }),
    tries: z.int().openapi({ description: 'Tries made so far.' }),
    next_try_at: z
      .string()
      .openapi({ description: 'When it is tried again, in ISO 8601. A time that is over: it is being tried.' }),
  })
  .openapi('Retry', { description: 'Why it is to be tried again, and when; absent unless a try has failed.' })

interface NextTry {
  /** Tries made so far. */
  readonly tries: number
  readonly nextTryAt: number
}

/** The stored form of a failed try that is followed by another. Without an error, the fault was ours. */
export const storeRetry = (error: Pick<ImageError, 'code' | 'params'> | undefined, next: NextTry) =>
  storeText(error?.code ?? 'not_processed', { ...error?.params, ...next })

const storedSchema = z.object({ tries: z.number(), nextTryAt: z.number() })

/** The details of a garment in the state `queuing`, from its stored failure; undefined unless a try has failed. */
export function toRetryResponse(stored: string): z.infer<typeof retrySchema> | undefined {
  const code = failureCode(stored)
  const next = storedSchema.safeParse(parseStored(stored)?.params)
  if (code === '' || !next.success) return undefined
  const { tries, nextTryAt } = next.data
  return {
    failure_code: code,
    failure_reason: sentenceOf(stored, failureSentences),
    tries,
    next_try_at: toIso(nextTryAt),
  }
}
