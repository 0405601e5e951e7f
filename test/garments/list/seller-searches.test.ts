import { beforeAll, describe, expect, it } from 'vitest'
import { listGarments } from '../../../src/garments/list/list-garments.ts'
import { hasTerms, parseSearch } from '../../../src/garments/list/parse-search.ts'
import { databaseOf, newTenant } from '../../service.ts'
import { insertGarment } from '../review/complete-garment.ts'
import { phrases, stock, typos } from './seller-searches.ts'

describe("a seller's search", () => {
  let search: (text: string) => Promise<{ found: string[]; instead: string | null }>

  beforeAll(async () => {
    const { tenantId } = await newTenant()
    for (const [uuid, { tag, attribute }] of Object.entries(stock)) {
      const supplied = Object.entries(tag).filter(([name]) => name === 'Brand' || name === 'Gender')
      await insertGarment(tenantId, uuid, {
        tag,
        attribute: JSON.stringify({ ...Object.fromEntries(supplied), ...attribute }),
      })
    }
    search = async (text) => {
      const { garments, instead } = await listGarments(databaseOf(tenantId), tenantId, { search: text, limit: 100 })
      return { found: garments.map(({ uuid }) => uuid).sort(), instead }
    }
  })

  it.each(phrases)('for %j finds %s', async (text, finds) => {
    expect((await search(text)).found).toEqual(finds.split(' ').sort())
  })

  it.each(typos)('for %j finds %s, although it has a typing error', async (text, finds) => {
    expect((await search(text)).found).toEqual(finds.split(' ').sort())
  })

  it('drops the one word that finds nothing, and says so', async () => {
    expect(await search('red dress zzzzz')).toEqual({ found: ['burgundyDress'], instead: 'red dress' })
    expect(await search('red zzzzz qqqqq')).toEqual({ found: [], instead: null })
  })

  it('reads jeans before another type as their fabric', () => {
    for (const search of ['jeans jacket', 'Jeansjacke'])
      expect(hasTerms(' jacket#t denim#f ', parseSearch(search))).toBe(true)
    expect(hasTerms(' jacket#t leather#f ', parseSearch('Jeansjacke'))).toBe(false)
  })

  it('corrects no short word, and prefers what the shop has', async () => {
    expect((await search('cot')).instead).toBe(null)
    expect(await search('skirf')).toMatchObject({ found: ['pinkSkirt'], instead: 'skirt' })
  })
})
