import { expect, it } from 'vitest'
import { insertGarment } from '../../garments/review/complete-garment.ts'
import { newMember, newTenant, raw } from '../../service.ts'
import { sessionOf } from '../session-of.ts'

const origin = 'http://service.test'

async function newShop() {
  const { merchant, tenantId } = await newTenant()
  for (const uuid of ['a', 'b']) await insertGarment(tenantId, uuid)
  const session = { ...(await sessionOf(merchant.id)), Origin: origin }
  return {
    merchant,
    show: async (path: string) => await (await raw('GET', path, session)).text(),
    store: async (uuid: string) => {
      const form = new FormData()
      form.append('csv', `uuid,image_url\n${uuid},nowhere\n`)
      const { headers } = await raw('POST', '/dashboard/imports', session, form)
      return headers.get('location')?.slice('/dashboard/import/'.length) ?? ''
    },
    send: async (path: string, ids: readonly string[], fields = {}, who: Record<string, string> = session) => {
      const selected = Object.fromEntries(ids.map((id) => [`select.${id}`, 'yes']))
      return await raw('POST', path, who, new URLSearchParams({ ...selected, ...fields }))
    },
  }
}

it('what is put into the bin is shown there, and taken out or deleted for ever', async () => {
  const { show, send } = await newShop()
  const binned = (await send('/dashboard/garments/delete', ['a', 'b'])).headers.get('location') ?? ''
  expect(binned).toBe('/dashboard/garments?done=all_deleted&binned=a&binned=b')
  // The confirmation has a button that restores both.
  expect(await show(binned)).toMatch(
    /class="toast"[^]*action="\/dashboard\/bin\/restore"[^]*>Undo<[^]*select\.a[^]*select\.b/,
  )
  const bin = await show('/dashboard/bin')
  for (const uuid of ['a', 'b']) expect(bin).toContain(`form="bin-garments" name="select.${uuid}"`)
  // Somebody else has already restored one of them.
  const restored = await send('/dashboard/bin/restore', ['a', 'gone'])
  expect([restored.status, restored.headers.get('location')]).toEqual([303, '/dashboard/bin?done=restored'])
  expect(await show('/dashboard/bin?done=restored')).toContain('The deletion was undone.')
  expect(await show('/dashboard/garments')).toContain('/dashboard/garment?uuid=a"')
  const erased = await send('/dashboard/bin/erase', ['b'])
  expect(erased.headers.get('location')).toBe('/dashboard/bin?done=erased')
  expect(await show('/dashboard/bin?done=erased')).toContain('No garments in the bin')
  const log = await show('/dashboard/audit')
  for (const text of [
    'Moved the garment to the bin',
    'Undid the deletion of the garment',
    'Deleted the garment permanently',
  ])
    expect(log).toContain(text)
})

it('an import goes into the bin and comes out of it, or is deleted for ever', async () => {
  const { show, send, store } = await newShop()
  const [kept, gone] = [await store('kept'), await store('gone')]
  await send('/dashboard/imports/delete', [kept, gone])
  const bin = await show('/dashboard/bin')
  for (const id of [kept, gone]) expect(bin).toContain(`form="bin-imports" name="select.${id}"`)
  await send('/dashboard/bin/restore', [kept], { kind: 'imports' })
  await send('/dashboard/bin/erase', [gone], { kind: 'imports' })
  expect(await show('/dashboard/bin')).not.toContain('bin-imports')
  const list = await show('/dashboard/imports')
  expect([list.includes(kept), list.includes(gone)]).toEqual([true, false])
})

it('a reviewer does not see the bin, and nothing is done without a selection', async () => {
  const { merchant, send } = await newShop()
  const reviewer = await newMember(merchant.id, 'reviewer')
  const session = { ...(await sessionOf(merchant.id, Date.now(), reviewer.id)), Origin: origin }
  expect((await raw('GET', '/dashboard/bin', session)).status).toBe(403)
  for (const path of ['/dashboard/bin/restore', '/dashboard/bin/erase']) {
    expect((await send(path, ['a'], {}, session)).status).toBe(403)
    expect((await send(path, [])).status).toBe(400)
  }
})
