import { z } from '@hono/zod-openapi'

const values = z.array(z.string())

export const taxonomySchema = z
  .object({
    attributes: z.array(
      z.object({
        name: z.string().openapi({ description: 'The key of `tag`.' }),
        meaning: z.string(),
        values: values
          .nullable()
          .openapi({ description: 'Those of all item types together; null where any text or colour is possible.' }),
        ranked: z.boolean().openapi({ description: 'Whether it comes with a confidence and alternatives.' }),
        supplied: z.boolean().openapi({ description: 'Whether `attribute` of the upload can supply it.' }),
      }),
    ),
    item_types: z.array(
      z.object({
        name: z.string(),
        category: z.string(),
        gender: z.string().nullable().openapi({ description: 'Where the item type alone tells it.' }),
        values: z
          .record(z.string(), values)
          .openapi({ description: 'By attribute, those of this item type; empty where it does not apply.' }),
        measurements: values.openapi({ description: 'The keys that `measurements` can have, in their order.' }),
      }),
    ),
    measurements: values.openapi({ description: 'The keys of all item types.' }),
    tagger: z.string().openapi({ description: 'The version of the networks and rules that answer now.' }),
  })
  .openapi('Taxonomy')
