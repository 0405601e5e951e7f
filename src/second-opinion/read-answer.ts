import { z } from 'zod'
import type { OpinionAnswers, Question } from '../vision/opinion.ts'
import { questionId } from './write-input.ts'

const answerSchema = z.object({
  answers: z.record(
    z.string(),
    z.object({ type: z.literal('choice'), probabilities: z.record(z.string(), z.number().min(0).max(1)) }),
  ),
  usage: z.object({ input_tokens: z.number().int().min(0).max(10_000_000) }).optional(),
})

/** Probabilities are rounded to four decimals, so that those of a question sum to 1 only roughly. */
const sumTolerance = 0.02

export interface Answer {
  readonly answers: OpinionAnswers
  readonly inputTokens: number | undefined
}

/**
 * What a decision model answered, scaled to sum to 1; `undefined` unless every question is answered in the documented
 * form. The binding gives the result itself, the REST interface in an envelope.
 */
export function readAnswer(given: unknown, questions: readonly Question[]): Answer | undefined {
  const result = typeof given === 'object' && given !== null && 'result' in given ? given.result : given
  const parsed = answerSchema.safeParse(result)
  if (!parsed.success) return undefined
  const answers: Record<string, Record<string, number>> = {}
  for (const question of questions) {
    const probabilities = parsed.data.answers[questionId(question)]?.probabilities
    if (probabilities === undefined) return undefined
    const options = Object.keys(question.options)
    const sum = options.reduce((total, option) => total + (probabilities[option] ?? 0), 0)
    if (Math.abs(sum - 1) > sumTolerance) return undefined
    answers[question.attribute] = Object.fromEntries(
      options.map((option) => [option, (probabilities[option] ?? 0) / sum]),
    )
  }
  return { answers, inputTokens: parsed.data.usage?.input_tokens }
}
