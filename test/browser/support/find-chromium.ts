import { existsSync } from 'node:fs'
import process from 'node:process'

const usualPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser's path: `CHROMIUM_PATH` or a usualPaths location. Undefined if there is none. */
export function findChromium(): string | undefined {
  const configured = process.env['CHROMIUM_PATH']
  return (configured === undefined ? usualPaths : [configured]).find((path) => existsSync(path))
}

/** For a browser without a display that calls nobody. */
export const chromiumArgs = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
