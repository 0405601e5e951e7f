import { z } from '@hono/zod-openapi'
import type { StoredOpinion } from '../vision/opinion.ts'

/**
 * How a second opinion is stored beside a garment: in 160 bytes where JSON takes 380, so that two garments still fit a
 * page of the database. The model, the version of the weights, the answers, their other values and what is
 * contradicted.
 */
type PackedOpinion = readonly [model: string, weights: string, answers: string, others: string, contradicts: string]

const vendor = '@cf/cloudflare/'

/** A capital or a name in brackets begins an answer. They are stored, so that none may change its meaning. */
const codes: Readonly<Record<string, string>> = {
  'Item Type': 'I',
  Pattern: 'P',
  Sleeve: 'S',
  Neckline: 'N',
  Fit: 'F',
  Closure: 'C',
  'Fabric Type': 'T',
  shown: 'H',
}

const names = new Map(Object.entries(codes).map(([name, code]) => [code, name]))
const codeOf = (name: string) => codes[name] ?? `[${name}]`
const nameOf = (code: string) => names.get(code) ?? code.slice(1, -1)

/** A thousandth takes two digits of base 36. */
const digits = (thousandths: readonly number[]) =>
  thousandths.map((each) => each.toString(36).padStart(2, '0')).join('')
const numbers = (text: string) => (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 36))

export function packOpinion({ model, weights, answers, contradicts }: StoredOpinion): PackedOpinion {
  const all = Object.entries(answers)
  return [
    model.startsWith(vendor) ? `~${model.slice(vendor.length)}` : model,
    weights,
    all.map(([name, [network, opinion]]) => codeOf(name) + digits(network) + digits(opinion)).join(''),
    all.flatMap(([name, [, , others = []]]) => others.map((value) => `${codeOf(name)}=${value}`)).join(';'),
    contradicts.join(';'),
  ]
}

const split = (text: string, separator: string) => (text === '' ? [] : text.split(separator))

function unpack([model, weights, packed, others, contradicts]: PackedOpinion): StoredOpinion {
  const named = split(others, ';').map((other) => other.split('='))
  const answers = [...packed.matchAll(/(\[[^\]]+\]|[A-Z])([\da-z]*)/g)].map(([, code = '', text = '']) => {
    const both = numbers(text)
    const probabilities = [both.slice(0, both.length / 2), both.slice(both.length / 2)] as const
    const values = named.flatMap(([of, value]) => (of === code && value !== undefined ? [value] : []))
    return [nameOf(code), values.length === 0 ? probabilities : ([...probabilities, values] as const)] as const
  })
  return {
    model: model.startsWith('~') ? vendor + model.slice(1) : model,
    weights,
    answers: Object.fromEntries(answers),
    contradicts: split(contradicts, ';'),
  }
}

const thousandths = z.array(z.number())

/** As it was stored before 2026-11-23. */
const inFull = z.object({
  model: z.string(),
  weights: z.string(),
  answers: z.record(z.string(), z.tuple([thousandths, thousandths, z.array(z.string()).optional()])),
  contradicts: z.array(z.string()),
})

const text = z.string()

export const storedOpinionSchema = z.union([z.tuple([text, text, text, text, text]).transform(unpack), inFull])
