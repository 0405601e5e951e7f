import { z } from 'zod'

/** Maps codes to sentences, which only insert their parameters. */
type Sentences = Readonly<Record<string, (params: never) => string>>

/** Formats a sentence for storage. Only its code and parameters are stored, so that it is worded when it is shown. */
export const storeText = (code: string, params: object = {}) => JSON.stringify({ code, params })

const storedSchema = z.object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })

/** Returns the code and parameters of a stored text. Null for an empty text. */
export const parseStored = (stored: string) => (stored === '' ? null : storedSchema.parse(JSON.parse(stored)))

/** Returns the sentence of a stored text. An empty text has an empty sentence. */
export function sentenceOf(stored: string, sentences: Sentences): string {
  const text = parseStored(stored)
  if (text === null) return ''
  const sentence = sentences[text.code] as ((params: object) => string) | undefined
  return sentence === undefined ? text.code : sentence(text.params)
}
