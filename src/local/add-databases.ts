/**
 * `npm run databases -- --env production --add 8`: creates D1 databases, adds their bindings to `wrangler.toml`,
 * applies the migrations and regenerates the types. Without `--env`, it adds only local databases.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { unstable_readConfig } from 'wrangler'
import { openApi, prepareDatabases } from './cloudflare.ts'
import { addDatabases, OperatorError, runToEnd, say } from './wrangler.ts'

const configPath = 'wrangler.toml'
const environments = ['production', 'staging']
const maxAdded = 100

async function add(env: string | undefined, count: number): Promise<void> {
  if (env !== undefined && !environments.includes(env))
    throw new OperatorError('Choose --env production or --env staging, or omit --env for local development.')
  if (!Number.isInteger(count) || count < 1 || count > maxAdded)
    throw new OperatorError(
      `Set the number of databases: npm run databases -- --env production --add 2 (at most ${maxAdded} at once).`,
    )
  const edited = addDatabases(readFileSync(configPath, 'utf8'), env, count)
  if (edited === null)
    throw new OperatorError(`${configPath} contains no d1_databases entry with the binding DB in the usual form.`)
  if (env !== undefined) {
    const { vars, account_id: accountId } = unstable_readConfig({ config: configPath, env })
    await prepareDatabases(await openApi(accountId), edited.added, vars['HOME_REGION'])
  }
  writeFileSync(configPath, edited.toml)
  say(`${configPath} now contains the bindings ${edited.added.map(({ binding }) => binding).join(', ')}.`)
  execFileSync('npm', ['run', '--silent', 'types'], { stdio: ['ignore', 'ignore', 'inherit'] })
  if (env === undefined) return say('`npm start` applies the migrations to them.')
  say(
    `Commit ${configPath} and worker-configuration.d.ts, then run npm run deploy -- --env ${env}. New tenants are then placed in these databases, too.`,
  )
}

await runToEnd(async () => {
  const { values } = parseArgs({ options: { env: { type: 'string' }, add: { type: 'string' } } })
  await add(values.env, Number(values.add))
})
