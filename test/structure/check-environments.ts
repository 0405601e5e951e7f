/** Checks that each deployed environment in wrangler.toml repeats all bindings, with names of its own. Run by `npm run check`. */
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

for (const env of environments) {
  if (isDeepStrictEqual(bindings(env), bindings())) continue
  process.stderr.write(`wrangler.toml: [env.${env}] differs from the bindings at the top.\n`)
  process.exitCode = 1
}
