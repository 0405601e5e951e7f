import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { createClient, createMerchant } from '../support/api-client.ts'
import { findChromium } from './find-chromium.ts'

export const serviceUrl = inject('serviceUrl')

const args = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Errors that a page may have: refusals of forms and pages that are not there are answers, which browsers report. */
const isAnswer = (text: string) => /the server responded with a status of 4\d\d/.test(text)

/**
 * A browser for a test file. `open` gives a page of a fresh visitor, signed in if credentials are given. After each test
 * the pages must have reported nothing: no error, no refusal by the content security policy.
 */
export function useBrowser() {
  const userData = mkdtempSync(join(tmpdir(), 'garment-tagging-chromium-'))
  let browser: Awaited<ReturnType<typeof chromium.launch>>
  let contexts: BrowserContext[] = []
  let reports: string[] = []

  beforeAll(async () => {
    const executablePath = findChromium()!
    browser = await chromium.launch({ executablePath, args, env: { ...process.env, HOME: userData } })
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
    rmSync(userData, { recursive: true, force: true })
  })

  async function open(options: BrowserContextOptions & { as?: Credentials } = {}): Promise<Page> {
    const { as, ...rest } = options
    const context = await browser.newContext({ baseURL: serviceUrl, viewport: { width: 1280, height: 800 }, ...rest })
    contexts.push(context)
    if (as !== undefined) await context.addCookies([{ name: 'session', value: await tokenOf(as), url: serviceUrl }])
    context.setDefaultTimeout(8000)
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' && !isAnswer(message.text())) reports.push(message.text())
    })
    page.on('pageerror', (error) => reports.push(String(error)))
    page.on('dialog', (dialog) => {
      reports.push(`A dialog opened: ${dialog.message()}`)
      void dialog.dismiss()
    })
    return page
  }

  /** For a test that provokes what is reported otherwise. */
  open.forgetReports = () => void (reports = [])
  return open
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

const tokens = new Map<string, string>()

/** Signing in is slow on purpose, and a token is good for an hour. */
async function tokenOf({ email, password }: Credentials): Promise<string> {
  const known = tokens.get(email)
  if (known !== undefined) return known
  const { token } = await createClient(serviceUrl).expectSuccess('POST', '/merchant/sign-in', { email, password })
  tokens.set(email, token)
  return token
}

/** A merchant with a tenant and a key, made by the API. */
export const newMerchant = async (name: string) => await createMerchant(serviceUrl, name)

export type Merchant = Awaited<ReturnType<typeof newMerchant>>
