import { vi } from 'vitest'
import { createClient } from '../../support/api-client.ts'
import { timeouts } from '../../support/timeouts.ts'
import { publish, publishGarment, receiver } from './host.ts'
import { newMerchant, serviceUrl, type Credentials, type useBrowser } from './visitor.ts'

export interface Visitor {
  readonly name: string
  readonly credentials?: Credentials
  /** One path per template. */
  readonly paths: string[]
  /** Paths that show other states of the same templates. */
  readonly variants: string[]
}

/**
 * Prepares a newcomer without a tenant, and a merchant whose garments and deliveries have all states. Returns each
 * visitor with the pages to open.
 */
export async function preparePages(open: ReturnType<typeof useBrowser>): Promise<readonly Visitor[]> {
  const newcomer = { email: `${crypto.randomUUID()}@example.com`, password: 'a long enough password' }
  await createClient(serviceUrl).expectSuccess('POST', '/merchant/sign-up', { ...newcomer, name: 'New' })
  const { tenant, credentials } = await newMerchant('Pages')
  const upload = async (uuid: string, imageUrl: string) =>
    await tenant.expectSuccess('POST', '/garment-tagging/upload', { uuid, image_url: imageUrl })
  const configure = async (query: string) =>
    await tenant.expectSuccess('PUT', '/garment-tagging/webhook/config', { enabled: true, url: receiver('p', query) })
  const waitForDelivery = async (uuid: string, status: string) =>
    await vi.waitFor(
      async () => {
        const answer = await tenant.call('GET', `/garment-tagging/webhook/delivery-status?uuid=${uuid}`)
        if (answer.body.data.status !== status) throw new Error(`${uuid} is not ${status} yet`)
      },
      { timeout: timeouts.wait, interval: 200 },
    )
  await configure('status=200&text=ok')
  await upload('complete', await publishGarment())
  await waitForDelivery('complete', 'delivered')
  await configure('status=410&text=gone')
  await upload('failed', await publish('text.jpg', 'text'))
  await waitForDelivery('failed', 'permanently_failed')
  await configure('status=500&text=oh')
  // More than one page of garments.
  for (let i = 0; i < 27; i++) await upload(`failed-${i}`, await publish('text.jpg', 'text'))
  await upload('queuing', await publish('busy.jpg', 'busy', 'status=503'))
  await waitForDelivery('failed-26', 'pending')
  const endpoint = { url: receiver('second'), description: 'Search index', enabled: false }
  await tenant.expectSuccess('POST', '/garment-tagging/webhook/endpoints', endpoint)

  const page = await open({ as: credentials })
  await page.goto('/dashboard/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  const invitation = (await page.getByRole('region', { name: 'link' }).innerText()).trim()
  await page.goto('/dashboard/imports')
  await page.getByLabel('Or paste the lines').fill('uuid,Price\ncomplete,5\nunknown,x\n')
  await page.getByRole('button', { name: 'Import the lines' }).click()
  await page.waitForURL('**/dashboard/import/*')
  const importPage = page.url()

  return [
    {
      name: 'a visitor',
      paths: ['/', '/dashboard/sign-in', '/dashboard/sign-up', '/dashboard/recover', invitation],
      variants: ['/dashboard/sign-in?next=/dashboard/keys'],
    },
    {
      name: 'a newcomer',
      credentials: newcomer,
      paths: ['/dashboard', '/dashboard/tenant'],
      variants: ['/dashboard/account', '/dashboard/garments', '/dashboard/imports', '/dashboard/usage'],
    },
    {
      name: 'a merchant',
      credentials,
      paths: [
        '/dashboard',
        '/dashboard/garments',
        '/dashboard/garment?uuid=complete',
        '/dashboard/bin',
        '/dashboard/review',
        '/dashboard/accuracy',
        '/dashboard/export',
        '/dashboard/export/columns',
        '/dashboard/export/vinted',
        '/dashboard/imports',
        importPage,
        '/dashboard/upload',
        '/dashboard/webhook',
        '/dashboard/webhook/endpoint?id=first',
        '/dashboard/webhook/new',
        '/dashboard/webhook/payload?event=tagging.completed',
        '/dashboard/deliveries',
        '/dashboard/delivery?uuid=complete',
        '/dashboard/keys',
        '/dashboard/usage',
        '/dashboard/tenant',
        '/dashboard/account',
        '/dashboard/team',
        '/dashboard/audit',
        '/dashboard/build',
        '/dashboard/style',
      ],
      variants: [
        '/dashboard/garments?search=none',
        '/dashboard/garment?uuid=failed',
        '/dashboard/garment?uuid=queuing',
        '/dashboard/garment?uuid=unknown',
        '/dashboard/export?check=google',
        '/dashboard/export/columns?like=WooCommerce',
        '/dashboard/deliveries?endpoint=first&from=2026-01-01T00:00',
        '/dashboard/deliveries?status=delivered',
        '/dashboard/delivery?uuid=failed-26',
      ],
    },
  ]
}
