import { parseStored, sentenceOf, storeText } from '../../db/stored-text.ts'
import { imageSentences, type ImageError } from '../../outbound/image-error.ts'
import { pictureSentences, type PictureError } from '../../vision/picture-error.ts'

const ownSentences = {
  not_processed: ({ nextTryAt }: { readonly nextTryAt?: number }) =>
    typeof nextTryAt === 'number'
      ? 'The service could not process this image.'
      : 'The service could not process this image; upload it again later.',
  other: () => 'The garment could not be tagged.',
}

type FailureCode = keyof typeof imageSentences | keyof typeof pictureSentences | keyof typeof ownSentences

/** Why garments fail, in the one language that there is. The codes are the `failure_code`s. */
export const failureSentences: Readonly<Record<FailureCode, (params: never) => string>> = {
  ...imageSentences,
  ...pictureSentences,
  ...ownSentences,
}

export const failureCodes = Object.keys(failureSentences) as FailureCode[]

const triedTimes = (tries: string | number) => ` It was tried ${tries} times.`

/** The stored form of a failure. `tries` is given where several tries failed in this way. */
export const storeFailure = ({ code, params }: Pick<ImageError | PictureError, 'code' | 'params'>, tries?: number) =>
  storeText(code, { ...params, tries })

/** For faults of ours, about which a client learns nothing. */
export const notProcessed = storeText('not_processed')

/** The sentence of a stored failure. */
export function failureReason(stored: string): string {
  const tries = parseStored(stored)?.params['tries']
  return sentenceOf(stored, failureSentences) + (tries === undefined ? '' : triedTimes(tries))
}

/** The code of a stored failure: empty without one, `other` for one that this version does not know. */
export function failureCode(stored: string): FailureCode | '' {
  if (stored === '') return ''
  return failureCodes.find((code) => code === parseStored(stored)?.code) ?? 'other'
}
