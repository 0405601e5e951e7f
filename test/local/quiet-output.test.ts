import { expect, it } from 'vitest'
import { createQuietFilter, findSettingsProblems } from '../../src/local/quiet-output.ts'

const bindings = `Your Worker has access to the following bindings:
Binding                                                   Resource                  Mode
env.DB (garment-tagging)                                  D1 Database               local
env.JWT_SECRET ("(hidden)")                               Environment Variable      local
`

/** What wrangler 4.155 writes. */
const output = `
 ⛅️ wrangler 4.155.0 (update available 4.164.0)
───────────────────────────────────────────────
[custom build] Running: node src/local/prepare.ts
[custom build] Error: docs/README.md links to none.md, which has no page
[custom build]
Using secrets defined in .dev.vars
${bindings}
❓ Your types might be out of date. Re-run \`wrangler types\` to ensure your types are correct.
[wrangler:warn] Unable to fetch the \`Request.cf\` object! Falling back to a default placeholder...
Error: getaddrinfo ENOTFOUND workers.cloudflare.com
    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:123:26)
\u001b[33m▲ \u001b[43;33m[\u001b[43;30mWARNING\u001b[43;33m]\u001b[0m \u001b[1mScheduled Workers are not automatically triggered during local development.\u001b[0m

  To manually trigger a scheduled event, run:
    curl "http://localhost:8941/cdn-cgi/local/scheduled"
  For more details, see \u001b[4mhttps://developers.cloudflare.com/workers/configuration/cron-triggers/#test-cron-triggers-locally\u001b[0m


⎔ Starting local server...
[wrangler:info] ✨ Parsed 3 valid header rules.
⎔ Connection status updated
${bindings}
[wrangler:info] Ready on http://localhost:8941
{"level":"info","event":"request","path":"/health"}
Error: Address already in use (127.0.0.1:8941)
    at listen (node:net:1)
`

it('the start shows what a user needs, and every problem', () => {
  expect(output.split('\n').filter(createQuietFilter())).toEqual([
    '[custom build] Error: docs/README.md links to none.md, which has no page',
    '[wrangler:info] Ready on http://localhost:8941',
    '{"level":"info","event":"request","path":"/health"}',
    'Error: Address already in use (127.0.0.1:8941)',
    '    at listen (node:net:1)',
  ])
})

it('a problem of the settings is found in the output of the runtime', () => {
  const sentence =
    'Bad settings: RATE_LIMIT_PER_MINUTE must be a whole number. docs/operations/settings.md lists all settings.'
  expect(findSettingsProblems(`[ERROR] service core:user: Uncaught Error: ${sentence}\\n at index.js:57`)).toEqual([
    sentence,
  ])
  expect(findSettingsProblems('[wrangler:info] Ready on http://localhost:8941')).toEqual([])
})
