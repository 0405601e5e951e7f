import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { createMerchant } from '../../support/api-client.ts'
import { timeouts } from '../../support/timeouts.ts'
import { issueSession, issueToken } from '../../support/issue.ts'

export const serviceUrl = inject('serviceUrl')

/** Browsers log every 4xx response as an error. Tests provoke those on purpose. */
const isClientError = (text: string) => /the server responded with a status of 4\d\d/.test(text)

/**
 * Connects a test file to the browser. `open` returns a page in a new browser context, signed in if credentials are
 * given. Each test fails if its pages logged an error or a violation of the content security policy.
 */
export function useBrowser() {
  let browser: Browser
  let contexts: BrowserContext[] = []
  let reports: string[] = []

  beforeAll(async () => {
    browser = await chromium.connect(inject('browserUrl'))
  })
  afterEach(async () => {
    await Promise.all(contexts.map(async (context) => await context.close()))
    const reported = reports
    contexts = []
    reports = []
    expect(reported).toEqual([])
  })
  afterAll(async () => {
    await browser.close()
  })

  async function open(options: BrowserContextOptions & { as?: Credentials } = {}): Promise<Page> {
    const { as, ...rest } = options
    const context = await browser.newContext({
      baseURL: serviceUrl,
      viewport: { width: 1280, height: 800 },
      // An animation would keep a processor busy, because it is painted sixty times per second.
      reducedMotion: 'reduce',
      ...rest,
    })
    contexts.push(context)
    if (as !== undefined) await context.addCookies([{ name: 'session', value: await sessionOf(as), url: serviceUrl }])
    context.setDefaultTimeout(timeouts.wait)
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' && !isClientError(message.text())) reports.push(message.text())
    })
    page.on('pageerror', (error) => reports.push(String(error)))
    page.on('dialog', (dialog) => {
      reports.push(`A dialog opened: ${dialog.message()}`)
      void dialog.dismiss()
    })
    return page
  }

  /** Discards expected errors. */
  open.forgetReports = () => void (reports = [])
  return open
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

const sessions = new Map<string, string>()

/** The cookie that the sign-in form sets. Kept, because hashing passwords is slow. */
async function sessionOf({ email, password }: Credentials): Promise<string> {
  const known = sessions.get(email)
  if (known !== undefined) return known
  const response = await fetch(`${serviceUrl}/dashboard/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: serviceUrl },
    body: new URLSearchParams({ email, password }),
  })
  const [, session] = /^session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '') ?? []
  if (session === undefined) throw new Error(`The sign-in was answered by ${response.status} without a session`)
  sessions.set(email, session)
  return session
}

/** Fills in the form of a new account, and submits it. */
export async function signUp(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('a long enough password')
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** Leaves the page with the recovery codes of a new account. */
export const keepCodes = async (page: Page) => await page.getByRole('link', { name: 'I have kept them' }).click()

/** Creates a merchant with a tenant and a key through the API, and a session, without hashing a password to sign in. */
export async function newMerchant(name: string) {
  const merchant = await createMerchant(serviceUrl, name, issueToken)
  sessions.set(merchant.credentials.email, await issueSession(merchant.merchantId))
  return merchant
}

export type Merchant = Awaited<ReturnType<typeof newMerchant>>
