/**
 * Checks that each deployed environment in wrangler.toml repeats all bindings, with names of its own, and runs the Worker
 * next to its database. Run by `npm run check`.
 */
import { isDeepStrictEqual } from 'node:util'
import process from 'node:process'
import { unstable_readConfig } from 'wrangler'

const environments = ['production', 'staging']

/** The bindings of an environment, without its suffix in their names. */
function bindings(env?: string): unknown {
  const config = unstable_readConfig({ config: 'wrangler.toml', ...(env === undefined ? {} : { env }) })
  const { d1_databases, r2_buckets, durable_objects, queues } = config
  const text = JSON.stringify({ d1_databases, r2_buckets, durable_objects, queues })
  return JSON.parse(env === undefined ? text : text.replaceAll(`-${env}"`, '"'))
}

/** A cloud region in the middle of each HOME_REGION, which the Worker's placement is given as. */
const placements: Readonly<Record<string, string>> = {
  wnam: 'aws:us-west-2',
  enam: 'aws:us-east-1',
  weur: 'aws:eu-central-1',
  eeur: 'gcp:europe-central2',
  apac: 'aws:ap-southeast-1',
  oc: 'aws:ap-southeast-2',
}

for (const env of environments) {
  const { placement, vars } = unstable_readConfig({ config: 'wrangler.toml', env })
  const region = placement !== undefined && 'region' in placement ? placement.region : undefined
  const expected = placements[String(vars['HOME_REGION'])]
  if (expected === undefined || region !== expected) {
    process.stderr.write(`wrangler.toml: [env.${env}] needs a HOME_REGION and the placement next to it, ${expected}.\n`)
    process.exitCode = 1
  }
  if (isDeepStrictEqual(bindings(env), bindings())) continue
  process.stderr.write(`wrangler.toml: [env.${env}] differs from the bindings at the top.\n`)
  process.exitCode = 1
}
