/**
 * `npm run deploy -- --env production` or `staging`: creates missing D1 databases, queues and the R2 bucket, applies
 * the migrations, turns on replication and deploys the Worker. Stops with one sentence if something is missing. Safe to
 * run again. With `--gradual`, the new version receives no requests yet.
 *
 * Without `--env`, it works only in a build by Cloudflare. There it uses the resources at the top of `wrangler.toml`,
 * which the "Deploy to Cloudflare" button has created.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { unstable_readConfig } from 'wrangler'
import { type Call, ensure, listSecrets, openApi, prepareDatabases } from './cloudflare.ts'
import { describeMissingSecrets, OperatorError, runStep, runToEnd, say } from './wrangler.ts'

type Config = ReturnType<typeof unstable_readConfig>

const bucketExists = 10004
const queueExists = 11009

/** Creates all queues that have consumers. These include the dead letter queues, which have no binding. */
async function ensureQueues(call: Call, { queues }: Config): Promise<void> {
  const consumers: readonly { readonly queue: string }[] = queues.consumers ?? []
  for (const { queue } of consumers)
    await ensure(call, `queue ${queue}`, ['/queues', { queue_name: queue }], queueExists)
}

/** Creates the bucket and queues and checks the secrets. With the button, Cloudflare does this. */
async function createResources(call: Call, config: Config, env: string): Promise<void> {
  const region = config.vars['HOME_REGION']
  const hint = typeof region === 'string' ? { locationHint: region } : {}
  // The operator creates buckets that have a jurisdiction.
  for (const { bucket_name: name = '', jurisdiction } of config.r2_buckets)
    if (jurisdiction === undefined)
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
  // A build's token may lack the permission. If a queue is really missing, the deployment reports it.
  else await ensureQueues(call, config).catch((error: unknown) => say(String(error)))
  const command = isGradual ? ['versions', 'upload'] : ['deploy']
  await runStep('The Worker could not be deployed.', [...command, '--env', env ?? ''])
}

await runToEnd(async () => {
  const { values } = parseArgs({ options: { env: { type: 'string' }, gradual: { type: 'boolean', default: false } } })
  await deploy(values.env, values.gradual)
})
