import { expect, it } from 'vitest'
import { encodeJpeg } from '../../../src/vision/image/encode-jpeg.ts'
import { makeFlatLay } from '../../../training/flat-lay/make-flat-lay.ts'
import { problemsOf } from '../support/accessibility.ts'
import { hostOrigin } from '../support/host.ts'
import { readDownload } from '../support/read-download.ts'
import { newMerchant, useBrowser } from '../support/visitor.ts'

const open = useBrowser()

const imageOf = (seed: number) => ({
  name: `dress${seed}.jpg`,
  mimeType: 'image/jpeg',
  buffer: Buffer.from(encodeJpeg(makeFlatLay(seed, { width: 300, height: 400 }).picture)),
})

const text = { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('These are no pixels.') }

it('lines are imported by keyboard alone, and the bad ones are named', async () => {
  const { credentials } = await newMerchant('Lines')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  const tabTo = async (label: string) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(
        'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent',
      )
      if (String(focused).includes(label)) return
    }
    throw new Error(`${label} cannot be reached by keyboard`)
  }
  await tabTo('Or paste the lines')
  await page.keyboard.insertText(`uuid,image_url\ngood,${hostOrigin}/files/none.jpg\nbad,nowhere\n`)
  await tabTo('Import the lines')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Pasted lines' }).waitFor()
  await page.getByText('Done', { exact: true }).first().waitFor()
  expect(await problemsOf(page)).toEqual([])
  await tabTo('Refused')
  await page.keyboard.press('Enter')
  await page.getByRole('rowheader', { name: 'bad' }).waitFor()
  await expect.poll(() => page.getByRole('table').innerText()).toContain('image_url: ')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByText('Download a report').click()])
  const [, first = '', second = ''] = (await readDownload(file)).split('\r\n')
  expect(first).toMatch(/^good,.*,2,failed,.*404/)
  expect(second).toMatch(/^bad,nowhere,3,refused,image_url: /)
})

it('images from the device are uploaded with progress and tagged, and files that are no images are named', async () => {
  const { credentials } = await newMerchant('Images')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  await page.getByLabel('Photographs', { exact: true }).setInputFiles([imageOf(1), imageOf(2), text])
  await page.getByText('Attributes of all garments').click()
  await page.getByLabel('Use each file name').check()
  await page.getByRole('button', { name: 'Upload 3 garments' }).click()
  await page.getByText('2 garments uploaded, 1 not').waitFor({ state: 'attached' })
  await page.getByText('This browser cannot open the file. Save it as JPEG and choose it again.').waitFor()
  expect(await problemsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Show progress' }).click()
  // People who open the page later also see that there were three.
  await page.getByText('1 garment has not arrived').waitFor()
  await page.reload()
  await page.getByText('1 garment has not arrived').waitFor()
  expect(await problemsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'dress1' }).click()
  await page.getByText('dress1.jpg').waitFor({ state: 'attached' })
  await page.getByRole('heading', { name: /^Measurements/ }).waitFor()
})

it('images with the same name become a garment of their own each, to which the page leads with the outcome', async () => {
  const { credentials } = await newMerchant('One name')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  const images = [1, 2].map((seed) => ({ ...imageOf(seed), name: 'image.jpg' }))
  await page.getByLabel('Photographs', { exact: true }).setInputFiles(images)
  await page.getByRole('button', { name: 'Upload 2 garments' }).click()
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem')
  await expect.poll(() => rows.getByText('Complete', { exact: true }).count()).toBe(2)
  const addresses = await rows.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(new Set(addresses).size).toBe(2)
  for (const address of addresses) expect(address).toMatch(/\?uuid=[0-9a-f-]{36}$/)
  expect(await problemsOf(page)).toEqual([])

  // With the file name as uuid, only the first file can be stored. The page reports the other one.
  await page.getByLabel('Photographs', { exact: true }).setInputFiles(images)
  await page.getByText('Attributes of all garments').click()
  await page.getByLabel('Use each file name').check()
  await page.getByRole('button', { name: 'Upload 2 garments' }).click()
  await expect.poll(() => rows.count()).toBe(4)
  await expect.poll(() => rows.getByText(/^Refused: .*uploaded before/).count()).toBe(1)
  await expect.poll(() => rows.getByText(/^Complete\. Same picture as /).count()).toBe(1)
  await page.getByText('3 of 4 described, 1 not').waitFor({ state: 'attached' })
})

it('the attributes that were given stay for the next images', async () => {
  const { credentials } = await newMerchant('Attributes')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  await page.getByText('Attributes of all garments').click()
  await page.getByLabel('Brand').fill('Acme')
  await page.getByLabel('Photographs', { exact: true }).setInputFiles(imageOf(1))
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('1 garment uploaded').waitFor({ state: 'attached' })
  await expect.poll(() => page.getByLabel('Brand').inputValue()).toBe('Acme')
  await expect.poll(() => page.getByLabel('Photographs', { exact: true }).inputValue()).toBe('')
})

it('Enter on a ticked import deletes nothing', async () => {
  const page = await openRefused('Enter', ['one.csv'])
  await page.getByLabel('Select one.csv').check()
  await page.getByLabel('Select one.csv').press('Enter')
  await page.reload()
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['one.csv'])

  // The button still works afterwards.
  await page.getByLabel('Select one.csv').check()
  await page.getByLabel('Select one.csv').press('Enter')
  await page.getByText('Delete several imports').click()
  await page.getByRole('button', { name: 'Move the selected to the bin' }).click()
  await page.getByText('The selected imports are in the bin.').waitFor()
})

it('images can be dropped on the page', async () => {
  const { credentials } = await newMerchant('Drop')
  const page = await open({ as: credentials })
  await page.goto('/dashboard/imports')
  await page.evaluate(`{
    const dropped = new DataTransfer()
    dropped.items.add(new File(['a'], 'a.jpg', { type: 'image/jpeg' }))
    dropped.items.add(new File(['b'], 'b.jpg', { type: 'image/jpeg' }))
    document.querySelector('[data-upload]').dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true }))
  }`)
  const button = page.getByRole('button', { name: 'Upload 2 garments' })
  await button.waitFor()
  await expect.poll(() => button.and(page.locator(':focus')).count()).toBe(1)
})

/** Creates imports that end at once because every line is refused, and opens the page that lists them. */
async function openRefused(name: string, files: readonly string[], options: { javaScriptEnabled?: boolean } = {}) {
  const { credentials, client } = await newMerchant(name)
  for (const file of files) await client.importGarments('uuid,image_url\na,nowhere\n', { name: file })
  const page = await open({ ...options, as: credentials })
  await page.goto('/dashboard/imports')
  return page
}

it('one button selects all imports of a page, and none when it is pressed again', async () => {
  const page = await openRefused('Select imports', ['one.csv', 'two.csv'])
  const ticked = () => page.getByRole('checkbox', { name: /^Select /, checked: true }).count()
  await page.getByRole('button', { name: 'Select all on this page' }).click()
  await expect.poll(() => ticked()).toBe(2)
  await page.getByRole('button', { name: 'Select all on this page' }).click()
  await expect.poll(() => ticked()).toBe(0)
})

it.each([true, false])('ticked imports are deleted together, with scripts: %s', async (javaScriptEnabled) => {
  const page = await openRefused('Delete imports', ['one.csv', 'two.csv', 'three.csv'], { javaScriptEnabled })
  await page.getByLabel('Select one.csv').check()
  await page.getByLabel('Select three.csv').check()
  await page.getByText('Delete several imports').click()
  expect(javaScriptEnabled ? await problemsOf(page) : []).toEqual([])
  await page.getByRole('button', { name: 'Move the selected to the bin' }).click()
  await page.getByText('The selected imports are in the bin.').waitFor()
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['two.csv'])
})

it('an image and a CSV file are imported with JavaScript disabled', async () => {
  const { credentials } = await newMerchant('No scripts')
  const page = await open({ as: credentials, javaScriptEnabled: false })
  await page.goto('/dashboard/imports')
  await page.getByLabel('Photographs', { exact: true }).setInputFiles(imageOf(3))
  await page.getByText('Attributes of all garments').click()
  await page.getByLabel('Use each file name').check()
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('heading', { name: 'Files from a device' }).waitFor()
  await page.getByRole('rowheader', { name: 'dress3' }).waitFor()
  await page.goto('/dashboard/imports')
  await page.getByLabel('Photographs', { exact: true }).setInputFiles(text)
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('alert').getByText('Must be a JPEG, PNG or WebP file.').waitFor()
  await page.getByLabel('CSV file').setInputFiles({
    name: 'stock.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`uuid;image_url\na;${hostOrigin}/files/none.jpg\n`),
  })
  await page.getByRole('button', { name: 'Import the lines' }).click()
  await page.getByRole('heading', { name: 'stock.csv' }).waitFor()
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['a'])
})
