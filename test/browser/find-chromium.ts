import { existsSync } from 'node:fs'
import process from 'node:process'

const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser's executable: `CHROMIUM_PATH`, or where systems keep it; undefined if there is none. */
export function findChromium(): string | undefined {
  const told = process.env['CHROMIUM_PATH']
  return (told === undefined ? usual : [told]).find((path) => existsSync(path))
}
