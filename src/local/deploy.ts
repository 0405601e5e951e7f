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
import { prepareDatabases } from './d1.ts'
import { describeMissingSecrets, ensure, OperatorError, runStep, runToEnd, say, wrangler } from './wrangler.ts'

type Config = ReturnType<typeof unstable_readConfig>

/** Parts of wrangler's messages. */
const bucketExists = '[code: 10004]'
const queueExists = '[code: 11009]'

/** Creates the dead letter queues too, which no binding names. */
async function ensureQueues({ queues }: Config): Promise<void> {
  const consumers: readonly { readonly queue: string }[] = queues.consumers ?? []
  await Promise.all(consumers.map(({ queue }) => ensure(`queue ${queue}`, ['queues', 'create', queue], queueExists)))
}

async function checkSecrets(env: string): Promise<void> {
  const list = await wrangler('secret', 'list', '--env', env, '--format', 'json')
  const isNewWorker = /Worker ".*" .*not found/.test(list.output)
  if (!list.ok && !isNewWorker) throw new OperatorError(`The secrets could not be listed.\n${list.output}`)
  const present = list.ok ? (JSON.parse(list.stdout) as { name: string }[]).map(({ name }) => name) : []
  const problem = describeMissingSecrets(present, env)
  if (problem !== null) throw new OperatorError(problem)
}

/** What the button does for its user. */
async function createResources(config: Config, env: string): Promise<void> {
  const region = config.vars['HOME_REGION']
  const hint = typeof region === 'string' ? ['--location', region] : []
  await Promise.all([
    ...config.r2_buckets.map(({ bucket_name: name = '' }) =>
      ensure(`bucket ${name}`, ['r2', 'bucket', 'create', name, ...hint, '--update-config', 'false'], bucketExists),
    ),
    ensureQueues(config),
  ])
  await checkSecrets(env)
}

async function deploy(env: string | undefined, isGradual: boolean): Promise<void> {
  // https://developers.cloudflare.com/workers/ci-cd/builds/configuration/#default-variables
  const isButton = env === undefined && process.env['WORKERS_CI'] === '1'
  if (!isButton && env !== 'production' && env !== 'staging')
    throw new OperatorError('Name the environment: npm run deploy -- --env production, or --env staging.')
  const config = unstable_readConfig({ config: 'wrangler.toml', ...(env === undefined ? {} : { env }) })
  const bindings: readonly { readonly database_name?: string; readonly database_id?: string }[] = config.d1_databases
  const databases = bindings.map(({ database_name: name = '', database_id: id }) => ({ name, id }))
  await prepareDatabases(databases, { region: config.vars['HOME_REGION'], accountId: config.account_id })
  if (env !== undefined) await createResources(config, env)
  // The token of a build may not be allowed to. Then the deployment names the queue that is missing, if one is.
  else await ensureQueues(config).catch((error: unknown) => say(String(error)))
  const command = isGradual ? ['versions', 'upload'] : ['deploy']
  await runStep('The Worker could not be deployed.', [...command, '--env', env ?? ''])
}

await runToEnd(async () => {
  const { values } = parseArgs({ options: { env: { type: 'string' }, gradual: { type: 'boolean', default: false } } })
  await deploy(values.env, values.gradual)
})
