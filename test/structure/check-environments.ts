/**
 * Checks that each environment in `wrangler.toml` repeats all bindings with its own names and has a region, and checks
 * the settings for the "Deploy to Cloudflare" button. Part of `npm run check`.
 */
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual, parseEnv } from 'node:util'
import process from 'node:process'
import { unstable_readConfig } from 'wrangler'
import { parseSettings } from '../../src/settings.ts'

const environments = ['production', 'staging']

/** Ignores numbered databases, because each environment has as many as it needs. */
const isFirst = ({ binding }: { readonly binding: string }) => binding === 'DB'

/** Returns an environment's bindings, without its suffix in their names. */
function bindings(env?: string): unknown {
  const config = unstable_readConfig({ config: 'wrangler.toml', ...(env === undefined ? {} : { env }) })
  const { d1_databases, r2_buckets, durable_objects, queues } = config
  const text = JSON.stringify({ d1_databases: d1_databases.filter(isFirst), r2_buckets, durable_objects, queues })
  return JSON.parse(env === undefined ? text : text.replaceAll(`-${env}"`, '"'))
}

function fail(problem: string): void {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}

for (const env of environments) {
  const { vars } = unstable_readConfig({ config: 'wrangler.toml', env })
  if (vars['HOME_REGION'] === undefined) fail(`wrangler.toml: [env.${env}] needs a HOME_REGION.`)
  if (!isDeepStrictEqual(bindings(env), bindings()))
    fail(`wrangler.toml: [env.${env}] differs from the bindings at the top.`)
}

/** Returns the names of missing or invalid settings. */
function badSettings(settings: object): string[] {
  try {
    parseSettings(settings)
    return []
  } catch (error) {
    return String(error).match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []
  }
}

// The button suggests these values. The service must reject them, or deployments would share a public secret.
const placeholders = parseEnv(readFileSync('.dev.vars.example', 'utf8'))
const required = badSettings({})
if (Object.keys(placeholders).length !== required.length || !isDeepStrictEqual(badSettings(placeholders), required))
  fail(`.dev.vars.example must have a value for each of ${required.join(', ')} that the service refuses.`)

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { cloudflare: { bindings: object } }
for (const name of required) {
  if (!Object.hasOwn(manifest.cloudflare.bindings, name))
    fail(`package.json: "cloudflare" needs a description of ${name}, which the "Deploy to Cloudflare" button shows.`)
}
