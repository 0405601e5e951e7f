import { eq } from 'drizzle-orm'
import type { HtmlEscapedString } from 'hono/utils/html'
import { afterAll, describe, expect, it } from 'vitest'
import { attributeTables } from '../docs/site/attribute-tables.ts'
import { applyCorrections } from '../src/garments/corrections/apply-corrections.ts'
import { reviewedNames } from '../src/garments/corrections/allowed-values.ts'
import { correctionProblems, mergeCorrections } from '../src/garments/corrections/check-corrections.ts'
import { parseCorrections } from '../src/garments/corrections/correction.ts'
import { TagFields } from '../src/dashboard/garments/garment-form.tsx'
import { readReview, ReviewPage } from '../src/dashboard/review/review-page.tsx'
import { type Column, resultColumns } from '../src/exports/export-columns.ts'
import { exportGarments } from '../src/garments/list/read-garments.ts'
import { toExportResponse } from '../src/exports/walk-garments.ts'
import { parseExportDefaults } from '../src/exports/shops/export-defaults.ts'
import { googleColumns } from '../src/exports/shops/google.ts'
import { toProduct } from '../src/exports/shops/product.ts'
import { shopifyColumns } from '../src/exports/shops/shopify.ts'
import { correctionProperties, tagSchemaOf } from '../src/garments/garment-fields.ts'
import { tenantState } from '../src/platform/db/schema.ts'
import { getGarment, toGarmentResponse } from '../src/garments/garment.ts'
import { describeApi } from '../src/platform/http/openapi.ts'
import { createRouter } from '../src/platform/http/router.ts'
import { claimGarment, leaseMs } from '../src/garments/review/review.ts'
import { describeGarment } from '../src/vision/attributes/build-tag.ts'
import { attributes, type CatalogueEntry, type RankedEntry } from '../src/vision/attributes/attribute-catalogue.ts'
import { analyse, tagAnalysis } from '../src/vision/tag-analysis.ts'
import { makeFlatLay } from '../training/flat-lay/make-flat-lay.ts'
import { chooseReviewed, db, insertGarment, updateDoubt } from './garments/review/complete-garment.ts'

const hem: RankedEntry = {
  name: 'Hem Shape',
  meaning: 'how the lower edge is cut; of tops only',
  values: ({ build }) => (build === 'top' ? ['Straight', 'Curved', 'Split'] : []),
  head: 'hem',
  isReviewed: true,
  phrase: ['detail', (value) => `a ${value.toLowerCase()} hem`],
  isShopifyTag: true,
  shopifyColumn: 'Hem (product.metafields.custom.hem)',
  googleColumn: 'custom_label_0',
}

// The real catalogue has it as long as these tests run.
const entries = attributes as CatalogueEntry[]
entries.push(hem)
afterAll(() => void entries.pop())

/** A drawn T-shirt, as a network with the head `hem` would read it. */
async function tagDrawing() {
  const { picture } = makeFlatLay(3, { itemType: 'T-Shirt', colour: 'Navy', pattern: 'Plain', width: 600, height: 800 })
  const analysis = await analyse(picture, undefined)
  const heads = { ...analysis.prediction.heads, hem: [['Curved', 0.7], ['Split', 0.2], ['Straight', 0.1]] as const } // prettier-ignore
  const seen = { ...analysis, prediction: { ...analysis.prediction, heads } }
  return tagAnalysis(seen, { attribute: {}, cmPerPixel: undefined })
}

const tagging = await tagDrawing()

const render = async (page: HtmlEscapedString | Promise<HtmlEscapedString>) => (await page).toString()

async function storedGarment(reviewed: readonly string[] = []) {
  const tenantId = crypto.randomUUID()
  await chooseReviewed(tenantId, reviewed)
  const tag = { ...tagging.tag } as Record<string, string | string[]>
  await insertGarment(tenantId, 'g', { tag })
  return await getGarment(db, tenantId, 'g')
}

describe('an attribute that is added to the catalogue', () => {
  it('is in the query and in its description, with a confidence', async () => {
    expect(tagging.tag).toMatchObject({
      'Hem Shape': 'Curved',
      'Hem Shape Alternatives': ['Split', 'Straight'],
      'Hem Shape Confidence': 'Medium',
    })
    expect(describeGarment('T-Shirt', tagging.tag)).toMatch(/ a curved hem/)
    expect(toGarmentResponse(await storedGarment(), undefined).tag).toMatchObject({ 'Hem Shape': 'Curved' })
  })

  it('is in the review, which confirms or corrects it', async () => {
    const garment = await storedGarment()
    const result = toGarmentResponse(garment, undefined)
    const reviewed = ['Hem Shape']
    const page = await render(ReviewPage({ garment, result, form: { values: {} }, reviewed, filter: {} }))
    expect(page).toMatch(/<fieldset class="reviewed doubtful"><legend>Hem Shape /)
    expect(page).toMatch(/name="tag\.Hem Shape" value="Split"/)
    const { tag } = readReview({ 'tag.Item Type': 'T-Shirt', 'tag.Hem Shape': 'Split' }, result, {
      reviewed,
      confirmsAll: false,
    })
    expect(tag['Hem Shape']).toBe('Split')
  })

  it('brings a garment to the review without a migration, once a tenant has it reviewed', async () => {
    expect(reviewedNames()).toContain('Hem Shape')
    const { tenantId } = await storedGarment(['Hem Shape'])
    expect(await claimGarment(db, tenantId, 's', 0)).toBe('g')
    await db.update(tenantState).set({ reviewAttributes: '[]' }).where(eq(tenantState.tenantId, tenantId))
    await updateDoubt(tenantId)
    expect(await claimGarment(db, tenantId, 't', leaseMs)).toBe(null)
  })

  it('can be corrected to its own values, as long as the item type has it', async () => {
    const machine = { tag: tagging.tag as Record<string, string | string[]>, measurements: {} }
    const none = parseCorrections(null)
    const problems = (tag: Record<string, string>) => correctionProblems(machine, none, { tag, measurements: {} })
    expect(problems({ 'Hem Shape': 'Straight' })).toEqual([])
    expect(problems({ 'Hem Shape': 'Round' })).toEqual(['tag.Hem Shape: must be one of Straight, Curved, Split'])
    expect(problems({ 'Hem Shape': 'Split', 'Item Type': 'Skirt' })).toEqual([
      'tag.Hem Shape: does not apply to the item type Skirt',
    ])
    const corrected = (tag: Record<string, string>) => {
      const made = { by: { kind: 'member', id: 's', name: 'Ann' }, at: 1 } as const
      return applyCorrections(machine, mergeCorrections(machine, none, { tag, measurements: {} }, made), {}).tag
    }
    expect(corrected({ 'Hem Shape': 'Split' })).toMatchObject({ 'Hem Shape': 'Split', 'Hem Shape Confidence': 'High' })
    expect(corrected({ 'Item Type': 'Skirt' })).not.toHaveProperty('Hem Shape')
    expect(await render(TagFields({ machine }))).toContain('name="tag.Hem Shape"')
  })

  it("is in the export, in its own columns and in the shops'", async () => {
    const { tenantId } = await storedGarment()
    const { rows } = await exportGarments(db, tenantId, { limit: 1 })
    const [garment] = rows.map((row) => toExportResponse(row, undefined))
    const product = garment && toProduct(garment, parseExportDefaults(null, 'EUR'))
    const cell = <T>(columns: readonly Column<T>[], of: T | undefined, name: string) =>
      of && columns.find((column) => column[0] === name)?.[1](of)
    expect(cell(resultColumns(0), garment, 'Hem Shape')).toBe('Curved')
    expect(cell(resultColumns(0), garment, 'Hem Shape Confidence')).toBe('Medium')
    expect(cell(shopifyColumns(), product, 'Tags')).toMatch(/, Curved$/)
    expect(cell(shopifyColumns(), product, 'Hem (product.metafields.custom.hem)')).toBe('Curved')
    expect(cell(googleColumns(), product, 'custom_label_0')).toBe('Curved')
  })

  it('is in the OpenAPI document, with its values', () => {
    const router = createRouter()
    router.openAPIRegistry.register('Tag', tagSchemaOf())
    expect(describeApi(router, 'https://service.test').components?.schemas?.['Tag']).toMatchObject({
      properties: {
        'Hem Shape': { type: 'string', enum: ['Straight', 'Curved', 'Split'] },
        'Hem Shape Confidence': {},
      },
    })
    expect(correctionProperties()['Hem Shape']).toMatchObject({ enum: ['Straight', 'Curved', 'Split', null] })
  })

  it('is in the documentation', () => {
    expect(attributeTables()[0]).toMatch(
      /^\| `Hem Shape` \| how the lower edge is cut; of tops only\b.* \| Straight, Curved, Split/m,
    )
  })
})
