/**
 * `npm run deploy -- --env production` or `staging`: creates the D1 databases, the R2 bucket and the queues that do
 * not exist yet, applies the migrations to each database, turns its replication on and deploys the Worker. Stops with
 * one sentence if something is missing. Safe to run again. Without `--env` it only works in a build by Cloudflare,
 * where it deploys the resources at the top of `wrangler.toml`: those that the "Deploy to Cloudflare" button has
 * created. Runs in Node.js.
 * With `--gradual` the new version gets no requests yet.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { unstable_readConfig } from 'wrangler'
import { type Call, ensure, listSecrets, openApi, prepareDatabases } from './cloudflare.ts'
import { describeMissingSecrets, OperatorError, runStep, runToEnd, say } from './wrangler.ts'

type Config = ReturnType<typeof unstable_readConfig>

/** Answers of the API. */
const bucketExists = 10004
const queueExists = 11009

/** Creates the dead letter queues too, which no binding names. */
async function ensureQueues(call: Call, { queues }: Config): Promise<void> {
  const consumers: readonly { readonly queue: string }[] = queues.consumers ?? []
  for (const { queue } of consumers)
    await ensure(call, `queue ${queue}`, ['/queues', { queue_name: queue }], queueExists)
}

/** What the button does for its user. */
async function createResources(call: Call, config: Config, env: string): Promise<void> {
  const region = config.vars['HOME_REGION']
  const hint = typeof region === 'string' ? { locationHint: region } : {}
  for (const { bucket_name: name = '' } of config.r2_buckets)
    await ensure(call, `bucket ${name}`, ['/r2/buckets', { name, ...hint }], bucketExists)
  await ensureQueues(call, config)
  const problem = describeMissingSecrets(await listSecrets(call, config.name ?? ''), env)
  if (problem !== null) throw new OperatorError(problem)
}

async function deploy(env: string | undefined, isGradual: boolean): Promise<void> {
  // https://developers.cloudflare.com/workers/ci-cd/builds/configuration/#default-variables
  const isButton = env === undefined && process.env['WORKERS_CI'] === '1'
  if (!isButton && env !== 'production' && env !== 'staging')
    throw new OperatorError('Name the environment: npm run deploy -- --env production, or --env staging.')
  const config = unstable_readConfig({ config: 'wrangler.toml', ...(env === undefined ? {} : { env }) })
  const bindings: readonly { readonly database_name?: string; readonly database_id?: string }[] = config.d1_databases
  const databases = bindings.map(({ database_name: name = '', database_id: id }) => ({ name, id }))
  const call = await openApi(config.account_id)
  await prepareDatabases(call, databases, config.vars['HOME_REGION'])
  if (env !== undefined) await createResources(call, config, env)
  // The token of a build may not be allowed to. Then the deployment names the queue that is missing, if one is.
  else await ensureQueues(call, config).catch((error: unknown) => say(String(error)))
  const command = isGradual ? ['versions', 'upload'] : ['deploy']
  await runStep('The Worker could not be deployed.', [...command, '--env', env ?? ''])
}

await runToEnd(async () => {
  const { values } = parseArgs({ options: { env: { type: 'string' }, gradual: { type: 'boolean', default: false } } })
  await deploy(values.env, values.gradual)
})
