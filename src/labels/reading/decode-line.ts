import type { LineLogits } from '../network/recognise-line.ts'

export interface Character {
  readonly text: string
  readonly probability: number
  /** Other characters with their probabilities, most probable first. */
  readonly others: readonly (readonly [text: string, probability: number])[]
  /** Place of its middle in the line, from 0 to 1. */
  readonly place: number
  /** True if the character belongs to a word in another alphabet, which the network reads as Latin. */
  readonly isForeign: boolean
}

const maxOthers = 3
const minOther = 0.01

/** Mean probability of another alphabet over a word's characters, from which the word counts as foreign. */
const minRejection = 0.6

/** Words with fewer letters are judged by the whole line. */
const minJudged = 3

interface Read extends Omit<Character, 'isForeign'> {
  /** Probability of another alphabet. */
  readonly rejection: number
}

/**
 * Decodes a line greedily: repeated characters without a blank between them are one. A character's probability is the
 * highest of its steps.
 * @param characters those of the outputs after the blank
 * @param rejects how many outputs after these stand for all other characters together
 */
export function decodeLine(
  { steps, outputs, values }: LineLogits,
  characters: readonly string[],
  rejects: number,
): Character[] {
  const decoded: Read[] = []
  const shares = new Float32Array(characters.length + 1)
  let previous = 0
  for (let step = 0; step < steps; step++) {
    const logits = values.subarray(step * outputs, (step + 1) * outputs)
    const rejection = shareOut(logits, shares, rejects)
    const best = indexOfMax(shares)
    if (best !== 0) {
      const read = toCharacter(shares, best, characters, { place: (step + 0.5) / steps, rejection })
      const last = decoded.at(-1)
      if (best !== previous) decoded.push(read)
      else if (last !== undefined && read.probability > last.probability)
        decoded[decoded.length - 1] = { ...read, place: last.place }
    }
    previous = best
  }
  return markForeign(decoded)
}

/** Softmax over the blank and the characters. Returns the share that the rejected outputs would have beside these. */
function shareOut(logits: Float32Array, shares: Float32Array, rejects: number): number {
  const kept = shares.length
  let highest = -Infinity
  for (let i = 0; i < kept + rejects; i++) highest = Math.max(highest, logits[i]!)
  let [sum, other] = [0, 0]
  for (let i = 0; i < kept + rejects; i++) {
    const share = Math.exp(logits[i]! - highest)
    if (i >= kept) other += share
    else {
      shares[i] = share
      sum += share
    }
  }
  const total = Math.max(sum, Number.MIN_VALUE)
  for (let i = 0; i < kept; i++) shares[i]! /= total
  return other / (sum + other)
}

function indexOfMax(values: Float32Array): number {
  let best = 0
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i
  return best
}

function toCharacter(
  shares: Float32Array,
  best: number,
  characters: readonly string[],
  rest: { readonly place: number; readonly rejection: number },
): Read {
  const others: (readonly [string, number])[] = []
  for (let i = 1; i <= characters.length; i++)
    if (i !== best && shares[i]! >= minOther) others.push([characters[i - 1]!, shares[i]!])
  others.sort((a, b) => b[1] - a[1])
  return { text: characters[best - 1]!, probability: shares[best]!, others: others.slice(0, maxOthers), ...rest }
}

function markForeign(read: readonly Read[]): Character[] {
  const isLetter = ({ text }: Read) => /\p{L}/u.test(text)
  const meanOf = (word: readonly Read[]) => word.reduce((sum, { rejection }) => sum + rejection, 0) / word.length
  const letters = read.filter(isLetter)
  const ofLine = letters.length === 0 ? 0 : meanOf(letters)
  const marked: Character[] = []
  for (let start = 0; start < read.length;) {
    let end = start
    while (end < read.length && isLetter(read[end]!)) end++
    const word = read.slice(start, Math.max(end, start + 1))
    const isForeign = end > start && (word.length < minJudged ? ofLine : meanOf(word)) > minRejection
    for (const { text, probability, others, place } of word)
      marked.push({ text, probability, others, place, isForeign })
    start += word.length
  }
  return marked
}
