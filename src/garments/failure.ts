import { z } from '@hono/zod-openapi'
import { parseStored, sentenceOf, storeText } from '../platform/db/stored-text.ts'
import { type ImageError, imageSentences } from '../platform/outbound/fetch-image.ts'
import { type PictureError, pictureSentences } from '../vision/picture-error.ts'
import { toIso } from '../time.ts'

const garmentSentences = {
  not_processed: ({ nextTryAt }: { readonly nextTryAt?: number }) =>
    typeof nextTryAt === 'number'
      ? 'The service could not process this image.'
      : 'The service could not process this image; upload it again later.',
  other: () => 'The garment could not be tagged.',
}

type FailureCode = keyof typeof imageSentences | keyof typeof pictureSentences | keyof typeof garmentSentences

export const failureSentences: Readonly<Record<FailureCode, (params: never) => string>> = {
  ...imageSentences,
  ...pictureSentences,
  ...garmentSentences,
}

export const failureCodes = Object.keys(failureSentences) as FailureCode[]

const triedTimes = (tries: string | number) => ` It was tried ${tries} times.`

/** Formats a failure for the database. `tries` is set if several tries have failed in this way. */
export const storeFailure = ({ code, params }: Pick<ImageError | PictureError, 'code' | 'params'>, tries?: number) =>
  storeText(code, { ...params, tries })

/** The failure after faults of the service, whose cause no client sees. */
export const notProcessed = storeText('not_processed')

export function failureReason(stored: string | null): string {
  if (stored === null) return ''
  const tries = parseStored(stored)?.params['tries']
  return sentenceOf(stored, failureSentences) + (tries === undefined ? '' : triedTimes(tries))
}

/** Returns the code of a stored failure: empty without one, and `other` for an unknown code. */
export function failureCode(stored: string | null): FailureCode | '' {
  if (stored === null) return ''
  return failureCodes.find((code) => code === parseStored(stored)?.code) ?? 'other'
}

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
  readonly tries: number
  readonly nextTryAt: number
}

/** Formats a failed try that is followed by another. Without an error, the service was at fault. */
export const storeRetry = (error: Pick<ImageError, 'code' | 'params'> | undefined, next: NextTry) =>
  storeText(error?.code ?? 'not_processed', { ...error?.params, ...next })

const storedSchema = z.object({ tries: z.number(), nextTryAt: z.number() })

/** Returns the latest failed try of a queuing garment, or undefined if none has failed. */
export function toRetryResponse(stored: string | null): z.infer<typeof retrySchema> | undefined {
  if (stored === null) return undefined
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
