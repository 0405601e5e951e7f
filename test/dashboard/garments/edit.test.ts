import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { garments, importLines, imports } from '../../../src/platform/db/schema.ts'
import { problemText } from '../../../src/imports/import-line-problem.ts'
import { continueImports } from '../../../src/imports/importer.ts'
import { correctTag, insertGarment, machineTag } from '../../garments/review/complete-garment.ts'
import { bindings, call, databaseOf, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

async function newShop() {
  const { tenantId, merchant, auth } = await newTenant()
  const db = databaseOf(tenantId)
  await insertGarment(tenantId, 'a', { attribute: '{"price":"5.00","Size":"M"}' })
  await insertGarment(tenantId, 'b', { attribute: '{"Brand":"Ann"}', tag: { ...machineTag, Brand: 'Ann' } })
  await insertGarment(tenantId, 'c', { tag: { ...machineTag, Colour: 'Red' } })
  await insertGarment(tenantId, 'failed', { status: 'failed', result: null })
  const session = await sessionOf(merchant.id)
  const headers = { Origin: 'http://service.test', ...session }
  return {
    tenantId,
    show: async (path: string) => await (await raw('GET', path, session)).text(),
    edit: async (fields: Record<string, string>, query = '') =>
      await raw('POST', `/dashboard/edit${query}`, headers, new URLSearchParams(fields)),
    post: async (path: string) => await raw('POST', path, headers, new URLSearchParams()),
    correct: async (uuid: string, tag: Readonly<Record<string, string>>) => await correctTag(tenantId, uuid, tag),
    export: async () => {
      const answer = await call('GET', '/garment-tagging/export?format=json', auth)
      return answer.body.data['garments'] as { uuid: string; tag: Record<string, unknown> | null }[]
    },
    /** Presses a button of the garment's history. */
    async undo(uuid: string, name: string) {
      const page = await (await raw('GET', `/dashboard/garment?uuid=${uuid}`, session)).text()
      const at = new RegExp(`name="name" value="${name}"[^]*?name="at" value="(\\d+)"`).exec(page)?.[1] ?? ''
      return await raw('POST', `/dashboard/edit/undo?uuid=${uuid}`, headers, new URLSearchParams({ name, at }))
    },
    upload: async (csv: string) => {
      const form = new FormData()
      form.set('csv', csv)
      return await raw('POST', '/dashboard/imports', headers, form)
    },
    attribute: async (uuid: string) => {
      const [row] = await db
        .select()
        .from(garments)
        .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
      return JSON.parse(row?.attribute ?? 'null') as unknown
    },
    /** Waits until the import has ended. */
    async lines(path: string | null) {
      const id = path?.split('/').at(-1) ?? ''
      for (let steps = 0; steps < 20 && (await continueImports(bindings, tenantId, 1)) !== null;) steps++
      const rows = await db
        .select()
        .from(importLines)
        .where(and(eq(importLines.tenantId, tenantId), eq(importLines.importId, id)))
        .orderBy(importLines.line)
      const [counts] = await db
        .select()
        .from(imports)
        .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id)))
      return { lines: rows.map(({ uuid, status, problem }) => [uuid, status, problemText(problem)]), counts }
    },
  }
}

const confirmed = (count: number) => ({ scope: 'all', confirm: String(count) })

describe('many garments', () => {
  it('are selected in the list and get a price, in the spelling that they have', async () => {
    const shop = await newShop()
    const list = await shop.show('/dashboard/garments')
    expect(list.match(/type="checkbox" form="edit" name="select\.\w+"/g)?.length).toBe(4)
    const fields = { 'attribute.Price': ' 12.50 ', 'attribute.Size': '', 'select.a': 'yes', 'select.b': 'yes' }
    const response = await shop.edit({ ...fields, other: 'Shelf', value: 'B 3', scope: 'selected' }, '?colour=Navy')
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/dashboard\/garments\?colour=Navy&done=edited&import=[\w-]{36}$/),
    ])
    expect(await shop.attribute('a')).toEqual({ price: '12.50', Size: 'M', Shelf: 'B 3' })
    expect(await shop.attribute('b')).toEqual({ Brand: 'Ann', Price: '12.50', Shelf: 'B 3' })
    expect(await shop.attribute('c')).toEqual({})
    expect(await shop.show('/dashboard/garments?done=edited')).toContain('The selected garments were changed.')
  })

  it('get corrected tags together with values, which one undo takes back', async () => {
    const shop = await newShop()
    const tags = { 'tag.Colour': 'Red', 'tag.Brand': 'COS', 'tag.Item Type': '', 'attribute.Size': 'L' }
    const response = await shop.edit({ ...tags, 'select.a': 'yes', 'select.b': 'yes', scope: 'selected' })
    expect(response.status).toBe(303)
    const tagOf = async (uuid: string) => (await shop.export()).find((garment) => garment.uuid === uuid)?.tag
    for (const uuid of ['a', 'b']) expect(await tagOf(uuid)).toMatchObject({ Colour: 'Red', Brand: 'COS' })
    expect(await shop.attribute('a')).toMatchObject({ Size: 'L' })
    const id = /import=([\w-]{36})/.exec(response.headers.get('location') ?? '')?.[1]
    await shop.post(`/dashboard/import/${id}/undo`)
    await shop.lines(`/dashboard/import/${id}`)
    expect(await tagOf('a')).toMatchObject({ Colour: machineTag.Colour })
    expect(await tagOf('b')).toMatchObject({ Brand: 'Ann' })
    expect(await shop.attribute('a')).toMatchObject({ Size: 'M' })
  })

  it('that a filter finds get a brand, which their tags follow, in the steps of an import', async () => {
    const shop = await newShop()
    const fields = { other: 'Brand', value: '=Bob', 'attribute.Currency': 'EUR', 'select.c': 'yes', ...confirmed(2) }
    const response = await shop.edit(fields, '?colour=Navy')
    expect(response.status).toBe(303)
    const { lines, counts } = await shop.lines(response.headers.get('location'))
    expect(lines).toEqual([
      ['a', 'complete', ''],
      ['b', 'complete', ''],
    ])
    expect(counts).toMatchObject({ waiting: 0, complete: 2, failed: 0, name: 'Currency, Brand of 2 garments' })
    expect(counts?.endedAt).not.toBe(null)
    expect(await shop.attribute('b')).toEqual({ Brand: '=Bob', Currency: 'EUR' })
    expect(await shop.attribute('c')).toEqual({})
    expect(await shop.show('/dashboard/garments?brand=%3DBob')).toMatch(/uuid=b&amp;brand=.*uuid=a&amp;brand=/s)
  })

  it('that a filter finds are changed only after a confirmation, which has their number and what was entered', async () => {
    const shop = await newShop()
    const fields = { 'attribute.Price': '9', 'remove.Size': 'yes', scope: 'all' }
    const asked = await shop.edit(fields, '?colour=Navy')
    const page = await asked.text()
    expect(asked.status).toBe(200)
    for (const part of ['Price, Size (removed) of 2 garments', 'name="attribute.Price" value="9"', '?colour=Navy'])
      expect(page).toContain(part)
    expect(await (await shop.edit({ ...fields, 'select.c': 'yes' })).text()).toContain('not only the selected ones')
    expect(await databaseOf(shop.tenantId).$count(imports, eq(imports.tenantId, shop.tenantId))).toBe(0)
  })

  it('that are ticked lose values that are removed, in any spelling, and each history brings its own back', async () => {
    const shop = await newShop()
    const form = await shop.show('/dashboard/garments')
    expect(form).toContain('name="remove.Price" value="yes"')
    const ticked = { 'select.c': 'yes', 'select.b': 'yes', 'select.a': 'yes' }
    const fields = { ...ticked, 'remove.Price': 'yes', 'remove.other': 'yes', other: 'brand', 'attribute.Stock': '1' }
    const response = await shop.edit({ ...fields, scope: 'selected' })
    expect(response.status).toBe(303)
    expect(await shop.attribute('a')).toEqual({ Size: 'M', Stock: '1' })
    expect(await shop.attribute('b')).toEqual({ Stock: '1' })
    expect(await shop.attribute('c')).toEqual({ Stock: '1' })
    expect(await shop.show('/dashboard/garment?uuid=a')).toContain('price: 5.00, removed')
    expect(await shop.show('/dashboard/garment?uuid=b')).toContain('Brand: Ann, removed')
    expect(await shop.show('/dashboard/audit')).toContain('Stock, Price (removed), brand (removed) of 3 garments')
    expect((await shop.undo('a', 'price')).status).toBe(303)
    expect(await shop.attribute('a')).toEqual({ price: '5.00', Size: 'M', Stock: '1' })
  })

  it('that are ticked get all of it back at once, or from the log, each as a change of its own', async () => {
    const shop = await newShop()
    const ticked = { 'select.a': 'yes', 'select.b': 'yes', 'select.c': 'yes' }
    const fields = { ...ticked, 'attribute.Price': '9', 'remove.other': 'yes', other: 'Brand', scope: 'selected' }
    const list = (await shop.edit(fields)).headers.get('location') ?? ''
    const path = /action="([^"]*\/undo)"/.exec(await shop.show(list))?.[1] ?? ''
    expect(await shop.show('/dashboard/audit')).toContain(`action="${path}"`)
    // Somebody changes one garment meanwhile. The undo keeps that change.
    await shop.edit({ 'select.c': 'yes', 'attribute.Price': '7', scope: 'selected' })
    const undone = await shop.post(path)
    expect(undone.status).toBe(303)
    expect(await shop.attribute('a')).toEqual({ price: '5.00', Size: 'M' })
    expect(await shop.attribute('b')).toEqual({ Brand: 'Ann' })
    expect(await shop.attribute('c')).toEqual({ Price: '7.00' })
    const { lines, counts } = await shop.lines(undone.headers.get('location'))
    expect(lines).toEqual([
      ['a', 'complete', ''],
      ['b', 'complete', ''],
      ['c', 'failed', expect.stringContaining('changed again since')],
    ])
    expect(counts).toMatchObject({ name: 'Undo: Price, Brand (removed) of 3 garments', complete: 2, failed: 1 })
    expect(await shop.show('/dashboard/garment?uuid=b')).toContain('Brand: Ann, added')
    expect(await shop.show('/dashboard/audit')).toContain('Undid changes of garments')
    // An undo can be undone, too.
    await shop.post(`${undone.headers.get('location')}/undo`)
    expect(await shop.attribute('a')).toEqual({ price: '9.00', Size: 'M' })
    expect(await shop.attribute('b')).toEqual({ Price: '9.00' })
  })

  it('that another shop has changed, or that an import only added, cannot be undone', async () => {
    const [shop, other] = [await newShop(), await newShop()]
    const list = (await shop.edit({ 'select.a': 'yes', 'attribute.Price': '9', scope: 'selected' })).headers
    const path = `/dashboard/import/${/import=(.*)/.exec(list.get('location') ?? '')?.[1]}/undo`
    expect((await other.post(path)).status).toBe(404)
    expect(await shop.attribute('a')).toEqual({ price: '9.00', Size: 'M' })
    const added = (await shop.upload('uuid,image_url\nnew,nowhere\n')).headers.get('location') ?? ''
    expect(await shop.show(added)).not.toContain('/undo')
    expect((await shop.post(`${added}/undo`)).status).toBe(400)
  })

  it('that a CSV has changed get former corrections back, and predictions where there were none', async () => {
    const shop = await newShop()
    const values = async () => {
      const tags = (await shop.export()).map(({ uuid, tag }) => [uuid, tag?.['Fit']])
      return Object.fromEntries(tags) as unknown
    }
    await shop.correct('a', { Fit: 'Slim' })
    const csv = await shop.upload('uuid,Fit\na,Relaxed\nb,Relaxed\n')
    await shop.lines(csv.headers.get('location'))
    expect(await values()).toMatchObject({ a: 'Relaxed', b: 'Relaxed' })
    await shop.lines((await shop.post(`${csv.headers.get('location')}/undo`)).headers.get('location'))
    expect(await values()).toMatchObject({ a: 'Slim', b: machineTag.Fit })
  })

  it('that a filter finds lose what is removed in the steps of an import, and the log says so once', async () => {
    const shop = await newShop()
    const response = await shop.edit({ 'remove.Price': 'yes', 'attribute.SKU': '7', ...confirmed(2) }, '?colour=Navy')
    expect(response.status).toBe(303)
    const path = response.headers.get('location')
    const { lines, counts } = await shop.lines(path)
    expect(lines).toEqual([
      ['a', 'complete', ''],
      ['b', 'complete', ''],
    ])
    expect(counts?.name).toBe('SKU, Price (removed) of 2 garments')
    expect(await shop.attribute('a')).toEqual({ SKU: '7', Size: 'M' })
    expect(await shop.attribute('b')).toEqual({ Brand: 'Ann', SKU: '7' })
    expect(await shop.show('/dashboard/audit')).toContain('SKU, Price (removed) of 2 garments')
    expect(await shop.show(`${path}/report.csv`)).toMatch(/^.*Price.*\r?\n[^]*\ba,/)
    const all = await shop.edit({ 'remove.Size': 'yes', ...confirmed(3) })
    await shop.lines(all.headers.get('location'))
    expect(await shop.attribute('a')).toEqual({ SKU: '7' })
  })

  it.each([
    [{ scope: 'all' }, '', 'Fill in at least one value'],
    [{ 'attribute.Price': '1', 'remove.Price': 'yes', scope: 'all' }, '', 'Price: Either give a value or remove it'],
    [{ 'remove.other': 'yes', 'select.a': 'yes' }, '', 'Name the column that is to be removed'],
    [{ 'remove.other': 'yes', other: 'Shelf', value: '1', 'select.a': 'yes' }, '', 'Either give a value or remove the'],
    [{ 'remove.other': 'yes', other: 'x'.repeat(65), 'select.a': 'yes' }, '', 'at most 64 characters'],
    [{ 'attribute.Price': '1', scope: 'selected' }, '', 'Select at least one garment'],
    [{ value: 'x', 'select.a': 'yes', scope: 'selected' }, '', 'Name the column'],
    [{ 'attribute.Price': '1', scope: 'all' }, '?status=failed', 'The list finds no complete garment.'],
    [{ 'attribute.Price': 'x'.repeat(513), 'select.a': 'yes' }, '', 'Must be at most 512 characters'],
  ])('are not changed by %j of %s', async (fields, query, problem) => {
    const shop = await newShop()
    const response = await shop.edit(fields, query)
    const text = await response.text()
    expect([response.status, text.toLowerCase().includes(problem.toLowerCase())]).toEqual([400, true])
    expect('select.a' in fields).toBe(text.includes('<input type="hidden" name="select.a" value="yes"'))
    for (const uuid of ['b', 'c']) expect(await shop.attribute(uuid)).toEqual(uuid === 'b' ? { Brand: 'Ann' } : {})
  })

  it('that cannot be changed are named, and the others are changed', async () => {
    const shop = await newShop()
    const response = await shop.edit({ 'attribute.Stock': '2', 'select.gone': 'yes', 'select.c': 'yes' })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('All other selected garments were changed.')
    expect(await shop.attribute('c')).toEqual({ Stock: '2' })
  })

  it('get the values of a CSV without pictures, and each line that cannot be applied says why', async () => {
    const shop = await newShop()
    const response = await shop.upload('UUID;Price;Shelf\na;9,90;\nc;;K1\nnone;1;\nfailed;1;\nb;;\n')
    expect(response.status).toBe(303)
    const path = response.headers.get('location')
    const { lines } = await shop.lines(path)
    expect(lines).toEqual([
      ['a', 'complete', ''],
      ['c', 'complete', ''],
      ['none', 'refused', expect.stringMatching(/^uuid: there is no such garment/)],
      ['failed', 'failed', expect.stringMatching(/^uuid: this garment failed/)],
      ['b', 'refused', 'The line changes nothing.'],
    ])
    expect([await shop.attribute('a'), await shop.attribute('c')]).toEqual([
      { price: '9.90', Size: 'M' },
      { Shelf: 'K1' },
    ])
    expect(await shop.show(path ?? '')).toContain('this garment failed')
  })

  it('are not changed by a CSV without a column uuid', async () => {
    const shop = await newShop()
    const response = await shop.upload('Price\n1')
    expect([response.status, (await response.text()).includes('There is no column uuid.')]).toEqual([400, true])
  })
})
