import { catalogue } from '../attributes/catalogue.ts'
import { allValues, type Catalogue, type Evidence, isRanked } from '../attributes/catalogue-entry.ts'
import { rankClasses, rankEntry } from '../attributes/rank-attributes.ts'
import type { OpinionMode, Question } from '../opinion.ts'
import { confidenceOf, type Ranked } from '../rank.ts'
import { itemTypes } from '../taxonomy/item-types.ts'
import { shownQuestion } from './shown-question.ts'

/** Attributes are asked about as if the garment were one of these, at most so many and at least so likely. */
const maxTypes = 3
const minType = 0.1

/**
 * The questions about a picture: its item type, how it is shown, and the attributes that apply and that the network is
 * unsure of. Empty where nobody is to be asked. What the client supplied has no part in them.
 * @param trust what all probabilities are multiplied by
 */
export function writeQuestions(
  { heads, colour }: Pick<Evidence, 'heads' | 'colour'>,
  trust: number,
  mode: OpinionMode,
  entries: Catalogue = catalogue,
): readonly Question[] {
  const isUnsure = ([best]: Ranked) => best !== undefined && confidenceOf(best.probability * trust) !== 'High'
  const types = rankClasses(heads.type, itemTypes)
  if (mode === 'doubtful' && !isUnsure(types)) return []
  const likely = types.filter(({ probability }, index) => index === 0 || probability >= minType).slice(0, maxTypes)
  const questions = entries.filter(isRanked).flatMap((entry): Question[] => {
    const { name, question, valueMeanings } = entry
    if (question === undefined) return []
    const ranked = likely.map(({ value }) => rankEntry(entry, { itemType: value, heads, colour, attribute: {} }))
    const possible = new Set(ranked.flat().map(({ value }) => value))
    // In the catalogue's order, which does not reveal what the network predicts.
    const values = [...allValues(entry)].filter((value) => possible.has(value))
    if (values.length < 2 || !(entry.head === 'type' || ranked.some(isUnsure))) return []
    const options = Object.fromEntries(values.map((value) => [value, valueMeanings?.[value] ?? null]))
    return [{ attribute: name, text: question, options }]
  })
  return [...questions, shownQuestion]
}
