import type { ReviewFilter } from '../../review/review-filter.ts'
import { reviewedNames } from '../../correction/rules/allowed-values.ts'
import type { FormValues } from '../form.ts'

/** The parameters of the review's addresses. */
export type ReviewFilterValues = Readonly<Partial<Record<'attribute' | 'import', string>>>

/** An unknown attribute is no filter; an unknown import has no garments. */
export function reviewFilterValues(query: FormValues): ReviewFilterValues {
  const attribute = reviewedNames().find((name) => name === query['attribute'])
  const id = query['import']?.slice(0, 64)
  return { ...(attribute === undefined ? {} : { attribute }), ...(id === undefined || id === '' ? {} : { import: id }) }
}

export const toReviewFilter = (values: ReviewFilterValues): ReviewFilter => ({
  attribute: values.attribute,
  importId: values.import,
})
