import { readWearer } from '../vision/attributes/wearer.ts'
import type { Child } from '../vision/tagging.ts'

/** Body heights in cm that sizes for children are named after, from newborn to the last before adult sizes. */
const [minHeight, maxHeight] = [50, 176]

/** For children of unknown size: those at 7 years, and at 9 months. */
const usualHeights = { child: 122, baby: 74 }

/**
 * The child that a garment is for, by the words of a client for its gender and size; undefined where those do not speak
 * of one. Sizes are body heights (EN 13402: `128`, `122/128`), years (`7-8 years`) or months (`18 M`). Of several
 * systems (`110 (4-5Y)`) the body height counts.
 */
export function readChild(attribute: Readonly<Record<string, string>>): Child | undefined {
  const wearer = readWearer(attribute['Gender'] ?? '')
  if (wearer !== 'boys' && wearer !== 'girls' && wearer !== 'children' && wearer !== 'babies') return undefined
  const height = readHeight(attribute['Size'] ?? '')
  if (height !== undefined) return { height, isSized: true }
  return { height: wearer === 'babies' ? usualHeights.baby : usualHeights.child, isSized: false }
}

function readHeight(size: string): number | undefined {
  const numbers = (size.match(/\d+/g) ?? []).map(Number)
  const height = meanOf(numbers.filter((number) => number >= minHeight && number <= maxHeight))
  if (height !== undefined) return height
  const value = meanOf(numbers)
  if (value === undefined) return undefined
  if (/\d\s*(m|mo|mth|mths|months?|mois|monate?|mesi|meses)\b/i.test(size))
    return value <= 24 ? heightAt(value) : undefined
  if (/\d\s*(y|yr|yrs|years?|ans?|jahre?|anni|anos|años|t)\b/i.test(size))
    return value <= 16 ? heightAt(value * 12) : undefined
  return undefined
}

/** The size that one number names, or two between which it lies. */
function meanOf([from, to = from, ...others]: readonly number[]): number | undefined {
  return from === undefined || to === undefined || others.length > 0 ? undefined : (from + to) / 2
}

/** Sizes step by 6 cm: every three months in the first year, twice in the second one, and then every year. */
function heightAt(months: number): number {
  if (months <= 12) return 56 + 2 * months
  return months <= 24 ? 68 + months : Math.min(maxHeight, 80 + months / 2)
}
