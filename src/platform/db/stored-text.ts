import { z } from 'zod'

/** The sentences of one language by their codes. They only insert their parameters. */
type Sentences = Readonly<Record<string, (params: never) => string>>

/** A sentence as it is stored: its code and parameters. It is put into words when it is shown. */
export const storeText = (code: string, params: object = {}) => JSON.stringify({ code, params })

const storedSchema = z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })

/** Code and parameters of a stored text; null for an empty one. */
export const parseStored = (stored: string) => (stored === '' ? null : storedSchema.parse(JSON.parse(stored)))

/** The sentence of a stored text; empty for an empty one. */
export function sentenceOf(stored: string, sentences: Sentences): string {
  const text = parseStored(stored)
  if (text === null) return ''
  const sentence = sentences[text.code] as ((params: object) => string) | undefined
  return sentence === undefined ? text.code : sentence(text.params)
}
