import { expect, it } from 'vitest'
import { estimateTokens, readAnswer, writeInput } from '../../src/tagging/second-opinion.ts'
import { request } from './stand-in.ts'

const questions = request.questions.slice(0, 1)
const given = (probabilities: object, more: object = {}) => ({
  answers: { item_type: { type: 'choice', choice: 'Jumper', confidence: 0.6, probabilities } },
  ...more,
})

it('rounded probabilities are scaled to sum to 1', () => {
  const answer = readAnswer(given({ Jumper: 0.6667, Cardigan: 0.3332 }), questions)
  const { Jumper = 0, Cardigan = 0 } = answer.answers['Item Type'] ?? {}
  expect(Jumper + Cardigan).toBeCloseTo(1, 12)
  expect(Jumper).toBeCloseTo(2 / 3, 3)
})

it('the tokens of the answer are read, and the envelope of the REST interface is opened', () => {
  const result = given({ Jumper: 1, Cardigan: 0 }, { usage: { input_tokens: 812, output_tokens: 0 } })
  expect(readAnswer(result, questions).inputTokens).toBe(812)
  expect(readAnswer({ result, success: true, errors: [], messages: [] }, questions).inputTokens).toBe(812)
  expect(readAnswer(given({ Jumper: 1 }), questions).inputTokens).toBe(undefined)
})

it.each([
  ['a sum far from 1', given({ Jumper: 0.5, Cardigan: 0.3 })],
  ['an option above 1', given({ Jumper: 1.2, Cardigan: -0.2 })],
  ['text for a number', given({ Jumper: '1', Cardigan: '0' })],
  ['other options', given({ Coat: 1 })],
  ['another type', { answers: { item_type: { type: 'score', probabilities: { Jumper: 1 } } } }],
  ['no such answer', { answers: { other: { type: 'choice', probabilities: { Jumper: 1 } } } }],
  ['an envelope of a failure', { result: null, success: false, errors: [{ code: 3040 }] }],
])('%s is not an answer', (_, answer) => {
  expect(() => readAnswer(answer, questions)).toThrow(/documented form|No answer about/)
})

it('an option that is missing has the probability 0, and options of its own are ignored', () => {
  expect(readAnswer(given({ Jumper: 1, __proto__: 1 }), questions).answers).toEqual({
    'Item Type': { Jumper: 1, Cardigan: 0 },
  })
})

it('the tokens of a question are estimated with room', () => {
  const input = writeInput('@cf/cloudflare/clef-flash', request.questions, new Uint8Array(3))
  // A token is seldom less than four characters of English.
  const text = JSON.stringify({ ...input, images: [] })
  expect(estimateTokens(request.questions)).toBeGreaterThan(768 / 32 ** 2 + text.length / 4)
})
