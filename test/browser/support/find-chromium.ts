import { existsSync } from 'node:fs'
import process from 'node:process'

/**
 * The headless shell is the same browser without windows of its own, which costs half the processor time, so it comes
 * first.
 */
const usualPaths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The browser's path: `CHROMIUM_PATH` or a usual location. Undefined if there is none. */
export function findChromium(): string | undefined {
  const configured = process.env['CHROMIUM_PATH']
  return (configured === undefined ? usualPaths : [configured]).find((path) => existsSync(path))
}

/**
 * A window's own user interface is made of web pages in a process of its own, and a spare process waits for the next
 * page. Nobody sees the one or needs the other, and every context of a test has a window.
 */
const ofWindows = [
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

/** What Playwright disables: only the last list counts. */
const ofPlaywright = [
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

/** For a browser without a display that calls nobody. */
export const chromiumArgs = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${[...ofPlaywright, ...ofWindows].join(',')}`,
]
