import type { z } from '@hono/zod-openapi'
import { allowedMeasurements, measurementNames } from '../correction/rules/allowed-values.ts'
import { catalogue } from '../vision/attributes/catalogue.ts'
import { allValues, type Catalogue, isRanked } from '../vision/attributes/catalogue-entry.ts'
import { taggerVersion } from '../vision/tagger-version.ts'
import { itemOf, itemTypes } from '../vision/taxonomy/item-types.ts'
import type { taxonomySchema } from './fields.ts'

/** What a result can say: attributes with their values, item types, and points of measure. */
export function getTaxonomy(entries: Catalogue = catalogue): z.infer<typeof taxonomySchema> {
  return {
    attributes: entries.map((entry) => {
      const values = allValues(entry)
      return {
        name: entry.name,
        meaning: entry.meaning,
        values: typeof values === 'string' ? null : [...values],
        ranked: isRanked(entry),
        supplied: !isRanked(entry) && entry.source.client === true,
      }
    }),
    item_types: itemTypes.map((name) => {
      const item = itemOf(name)
      return {
        name,
        category: item.category,
        gender: item.gender ?? null,
        values: Object.fromEntries(
          entries.flatMap(({ name: attribute, values }) =>
            typeof values === 'function' ? [[attribute, [...values(item)]]] : [],
          ),
        ),
        measurements: allowedMeasurements(name),
      }
    }),
    measurements: [...measurementNames],
    tagger: taggerVersion,
  }
}
