import { createRoute, z } from '@hono/zod-openapi'
import { allowedMeasurements, measurementNames } from './corrections/allowed-values.ts'
import { allValues, attributes, isRanked } from '../vision/attributes/attribute-catalogue.ts'
import { taggerVersion } from '../vision/tagging.ts'
import { itemOf, itemTypes } from '../vision/taxonomy/item-types.ts'
import { gated } from '../accounts/gate.ts'
import { ok, responses } from '../platform/http/envelope.ts'
import { createRouter } from '../platform/http/router.ts'

const values = z.array(z.string())

export const taxonomySchema = z
  .object({
    attributes: z.array(
      z.object({
        name: z.string().openapi({ description: 'The key of `tag`.' }),
        meaning: z.string(),
        values: values
          .nullable()
          .openapi({ description: 'Values of all item types together. Null if any text or colour is possible.' }),
        ranked: z.boolean().openapi({ description: 'True if the attribute has a confidence and alternatives.' }),
        supplied: z.boolean().openapi({ description: 'True if `attribute` of the upload can supply it.' }),
      }),
    ),
    item_types: z.array(
      z.object({
        name: z.string(),
        category: z.string(),
        gender: z
          .string()
          .nullable()
          .openapi({ description: 'The wearer, if the item type alone tells it. Otherwise null.' }),
        values: z
          .record(z.string(), values)
          .openapi({ description: 'Values of this item type, by attribute. Empty if an attribute does not apply.' }),
        measurements: values.openapi({ description: 'Possible keys of `measurements`, in their order.' }),
      }),
    ),
    measurements: values.openapi({ description: 'Possible keys of `measurements` for all item types.' }),
    tagger: z.string().openapi({ description: 'Current version of the networks and rules.' }),
  })
  .openapi('Taxonomy')

/** All possible values of a result: attributes with their values, item types, and points of measure. */
export function getTaxonomy(): z.infer<typeof taxonomySchema> {
  return {
    attributes: attributes.map((entry) => {
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
          attributes.flatMap(({ name: attribute, values }) =>
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

const example = getTaxonomy()

const taxonomyRoute = createRoute({
  method: 'get',
  path: '/garment-tagging/taxonomy',
  operationId: 'getTaxonomy',
  summary: 'Get the attributes, their values, the item types and the points of measure',
  description:
    'Lists the values that results and corrections can have. They change only with the version of the tagger.',
  ...gated,
  responses: responses(taxonomySchema, {
    ...example,
    attributes: example.attributes.filter(({ name }) => name === 'Pattern'),
    item_types: example.item_types.slice(0, 1),
  }),
})

export const taxonomyRoutes = createRouter().openapi(taxonomyRoute, (c) => ok(c, getTaxonomy()))
