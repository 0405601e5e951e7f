import { describe, expect, it } from 'vitest'
import { insertGarment, machineTag } from '../garments/review/complete-garment.ts'
import { call, newTenant, raw } from '../service.ts'
import { readRows } from './read-rows.ts'

const tag = { ...machineTag, 'Colour Confidence': 'High', 'Item Type': 'Jumper', Gender: "Women's", Brand: 'COS' }

async function newShop() {
  const { tenantId, auth } = await newTenant()
  const insert = async (uuid: string, attribute: object, createdAt: number) =>
    await insertGarment(tenantId, uuid, { tag, attribute: JSON.stringify(attribute), createdAt })
  await insert('ready', { Price: '9.50', Size: 'M', Condition: 'good' }, 1)
  await insert('sold', { Price: '9.50', Stage: 'sold' }, 2)
  await insert('bare', {}, 3)
  await insert('second', { Price: '12.00', Size: 'see label', Condition: 'good' }, 4)
  const path = (query: string) => `/garment-tagging/export?${query}`
  return { auth, path }
}

describe('a shop file by API', () => {
  it.each(['shopify', 'ebay', 'woocommerce', 'vinted'])('for %s has what is for sale, page by page', async (format) => {
    const { auth, path } = await newShop()
    const skus: string[] = []
    let omitted = 0
    let next: string | undefined = path(`format=${format}&limit=2`)
    while (next !== undefined) {
      const response = await raw('GET', next, auth)
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      omitted += Number(response.headers.get('x-omitted'))
      const rows = readRows(await response.text())
      skus.push(...rows.map((row) => row['SKU'] ?? row['Custom label (SKU)'] ?? ''))
      const [, link] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
      next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search
    }
    expect([skus.length, omitted]).toEqual([3, 1])
  })

  it('reports why garments are left out, and what others lack', async () => {
    const { auth, path } = await newShop()
    const { status, body } = await call('GET', path('format=google&report=1'), auth)
    expect([status, body.message]).toEqual([200, 'success!'])
    expect(body.data).toMatchObject({ written: 0, next_cursor: null })
    const problemsOf = (uuid: string) =>
      body.data.omitted
        .find((each: { uuid: string }) => each.uuid === uuid)
        .problems.map(({ column, problem }: { column: string; problem: string }) => `${column} ${problem}`)
    expect(problemsOf('sold')).toEqual(['Stage is sold, so no shop gets the garment'])
    expect(problemsOf('ready')).toEqual(['link is missing'])
    expect(problemsOf('second')).toContain('size is left out, because “see label” is no size')
  })

  it('is refused for an unknown format', async () => {
    const { auth, path } = await newShop()
    const { status, body } = await call('GET', path('format=etsy'), auth)
    expect([status, body.error[0]]).toEqual([
      400,
      expect.stringMatching(/^format: must be one of json, csv, pictures, vinted/),
    ])
  })
})
