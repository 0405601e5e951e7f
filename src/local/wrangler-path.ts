import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** wrangler's program, to be run by Node.js itself: npx takes half a second for each start. */
export const wranglerPath = join(dirname(resolve('wrangler/package.json')), 'bin/wrangler.js')
