interface Max {
  readonly max: number
}

/**
 * What schemas say of a field of an upload, after its name. Imports store the codes of these sentences, so the codes
 * never change.
 */
export const fieldSentences = {
  required: () => 'is required',
  not_given_once: () => 'must be given once, as a string',
  not_a_string: () => 'must be a string',
  not_an_object: () => 'must be an object',
  empty: () => 'must not be empty',
  too_long: ({ max }: Max) => `must be at most ${max} characters`,
  key_too_long: ({ max }: Max) => `must be a key of at most ${max} characters`,
  too_many_keys: ({ max }: Max) => `must have at most ${max} keys`,
  control_characters: () => 'must not contain control characters',
  not_unicode: () => 'must be well-formed Unicode',
}

export type FieldCode = keyof typeof fieldSentences

const codes = Object.keys(fieldSentences) as FieldCode[]

/** The code and the number that give this sentence; null if none does. */
export function findFieldCode(sentence: string): (Max & { readonly code: FieldCode }) | null {
  const max = Number(/\d+/.exec(sentence)?.[0] ?? 0)
  const code = codes.find((each) => fieldSentences[each]({ max }) === sentence)
  return code === undefined ? null : { code, max }
}
