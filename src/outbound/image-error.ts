import { describeTargetProblem, type TargetProblem } from './target.ts'

interface Refused {
  readonly problem: TargetProblem
}

/** Why an image was not fetched: the sentence for the client of each code, as in `vision/picture-error.ts`. */
export const imageSentences = {
  url_refused: ({ problem }: Refused) => `image_url ${describeTargetProblem(problem)}.`,
  redirect_refused: ({ problem }: Refused) =>
    `The address that image_url redirects to ${describeTargetProblem(problem)}.`,
  too_many_redirects: ({ max }: { readonly max: number }) => `image_url redirects more than ${max} times.`,
  host_not_found: () => 'The image host does not exist.',
  host_unreachable: () => 'The image host could not be reached, or it broke the connection.',
  host_timeout: ({ seconds }: { readonly seconds: number }) =>
    `The image host did not deliver the image within ${seconds} s.`,
  host_status: ({ status }: { readonly status: number }) => `The image host answered with HTTP ${status}.`,
  image_empty: () => 'The image is empty.',
  image_too_large: ({ mebibytes }: { readonly mebibytes: number }) => `The image has more than ${mebibytes} MiB.`,
  file_removed: () => 'The uploaded file was removed; upload it again.',
}

type ImageCode = keyof typeof imageSentences

/** An image that was not fetched. `message` is the sentence for the client. */
export class ImageError<Code extends ImageCode = ImageCode> extends Error {
  override name = 'ImageError'
  readonly kind: 'permanent' | 'passing'
  readonly code: Code
  readonly params: object

  constructor(kind: ImageError['kind'], code: Code, ...params: Parameters<(typeof imageSentences)[Code]>) {
    const sentence = imageSentences[code] as (...params: readonly object[]) => string
    super(sentence(...params))
    this.kind = kind
    this.code = code
    this.params = params[0] ?? {}
  }
}

/** There was no memory left for the image, which says nothing about it. */
export class NoRoomError extends Error {
  override name = 'NoRoomError'
}
