import { expect, it } from 'vitest'
import { publishGarment, received, receiver, release } from './support/host.ts'
import { submit } from './support/submit.ts'
import { keepCodes, signUp, useBrowser } from './support/visitor.ts'

const open = useBrowser()

it('every form and page works with JavaScript disabled', async () => {
  const page = await open({ javaScriptEnabled: false })
  const id = crypto.randomUUID().slice(0, 8)
  await page.goto('/dashboard/sign-up')
  await signUp(page, 'No Scripts', `no-scripts-${id}@example.com`)
  await keepCodes(page)
  await page.getByRole('link', { name: 'Connect my shop by API' }).click()
  await page.getByLabel('Name').fill('No Scripts')
  await page.getByLabel('Domain').fill(`no-scripts-${id}.example.com`)
  await submit(page, 'Create the shop')
  await page.getByLabel('Name').fill('key')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect.poll(() => page.getByRole('region', { name: 'API key' }).innerText()).toMatch(/^gt_/)
  await expect.poll(() => page.getByRole('button', { name: /Copy/ }).count()).toBe(0)

  await page.goto('/dashboard/webhook')
  await page.getByLabel('Send results to this URL').check()
  await page.getByLabel('URL', { exact: true }).fill(receiver(`no-scripts-${id}`))
  await page.getByRole('button', { name: 'Generate a secret' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Send a test event' }).click()
  await page.getByText('Your system accepted the test event.').waitFor()

  await page.goto('/dashboard/upload')
  await page.getByLabel('Image URL').fill(await publishGarment(9, 'hold'))
  await page.getByRole('button', { name: 'Upload and tag' }).click()
  await page.getByText('Waiting', { exact: true }).waitFor()
  await release('garment-9.jpg')
  await expect.poll(async () => (await received(`no-scripts-${id}`)).length).toBe(2)
  await page.getByRole('link', { name: 'Reload' }).click()
  await page.getByRole('heading', { name: /^Measurements/ }).waitFor()
  await page.getByRole('heading', { name: 'Upload details' }).click()
  await page.getByText('For developers', { exact: true }).click()
  await expect.poll(() => page.getByRole('region', { name: 'JSON' }).innerText()).toContain('"complete": true')
  await page.getByRole('link', { name: 'Attempts and resend' }).click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(async () => (await received(`no-scripts-${id}`)).length).toBe(3)

  await page.goto('/dashboard/keys')
  await page.getByText('Revoke key', { exact: true }).click()
  await page.getByRole('button', { name: 'Revoke now key' }).click()
  await page.getByText('No keys yet').waitFor()
  await submit(page, 'Sign out')
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})
