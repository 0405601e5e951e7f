import type { Question } from '../../../src/vision/opinion.ts'

/** How a stand-in answers: how often it is right, and how sure it always says it is. */
export interface StandIn {
  readonly right: number
  readonly claimed: number
  /** What it says where it is wrong: anything, or what the network finds likeliest of the wrong ones. */
  readonly errors: 'random' | 'as the network'
}

/**
 * What it says about a question, rounded as the service rounds.
 * @param likely the options by how likely the network finds them
 * @param next uniform in [0, 1)
 */
export function standInAnswer(
  { right, claimed, errors }: StandIn,
  { options }: Question,
  truth: string,
  likely: readonly string[],
  next: () => number,
): Record<string, number> {
  const names = Object.keys(options)
  const others = names.filter((name) => name !== truth)
  const isRight = next() < right
  const random = others[Math.floor(next() * others.length)] ?? truth
  const wrong = errors === 'random' ? random : (likely.find((name) => others.includes(name)) ?? random)
  const chosen = isRight && names.includes(truth) ? truth : wrong
  const rest = Math.round(((1 - claimed) / (names.length - 1)) * 10_000) / 10_000
  return Object.fromEntries(names.map((name) => [name, name === chosen ? claimed : rest]))
}
