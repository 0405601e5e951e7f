import { parseArgs } from 'node:util'
import { ask, askPassword } from '../ask.ts'
import { UsageError, type Command, type Context } from '../command.ts'
import { openTenant, serviceUrl } from '../open-tenant.ts'
import { configPath, readConnection } from '../stored-connection.ts'

const help = `Usage: garment-tagging sign-in --url URL --email EMAIL [--domain DOMAIN]

Creates an API key for this machine and stores it in a file that only you can read. The account's
password and access token are not stored. Signing in again replaces the key.

  --url URL        address of the service; by default that of the last sign-in
  --email EMAIL    asked for if it is missing
  --domain DOMAIN  creates the tenant if the account has none

The password is asked for, or read from GARMENT_TAGGING_PASSWORD or the standard input.`

async function run(args: string[], { signal }: Context): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args, options: { url: text, email: text, domain: text } })
  const given = values.url ?? readConnection(configPath(process.env))?.url
  if (given === undefined) throw new UsageError('Give --url.')
  const url = serviceUrl(given)
  const email = values.email ?? (await ask('Email: ', '--email', signal))
  await openTenant({ url, email, password: await askPassword(signal), domain: values.domain }, signal)
  return 0
}

export const signIn: Command = { summary: 'store an API key for this machine', help, run }
