import { parseArgs } from 'node:util'
import { createClient } from '../../create-client.ts'
import { ask, askPassword } from '../ask.ts'
import { tell, UsageError, type Command, type Context } from '../command.ts'
import { openTenant, serviceUrl } from '../open-tenant.ts'

const help = `Usage: garment-tagging sign-up --url URL --email EMAIL --domain DOMAIN [--name NAME]

Creates an account and its tenant, and signs in.

  --url URL        address of the service, such as https://tagging.example.com
  --email EMAIL    asked for if it is missing
  --domain DOMAIN  identifies the tenant, such as ann.example; asked for if it is missing
  --name NAME      of the account and the tenant; by default the domain
  --sign-up-code CODE
                   from the operator of the service, where it asks for one

The password, at least 8 characters, is asked for, or read from GARMENT_TAGGING_PASSWORD or the
standard input.`

async function run(args: string[], { signal }: Context): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: { url: text, email: text, domain: text, name: text, 'sign-up-code': text },
  })
  if (values.url === undefined) throw new UsageError('Give --url.')
  const url = serviceUrl(values.url)
  const email = values.email ?? (await ask('Email: ', '--email', signal))
  const domain = values.domain ?? (await ask('Domain, such as ann.example: ', '--domain', signal))
  const password = await askPassword(signal)
  const sign_up_code = values['sign-up-code']
  await createClient({ url }).signUp({ email, password, name: values.name ?? domain, sign_up_code }, { signal })
  try {
    await openTenant({ url, email, password, domain }, signal)
  } catch (error) {
    tell('The account was created. To continue, run "garment-tagging sign-in" with --domain.')
    throw error
  }
  return 0
}

export const signUp: Command = { summary: 'create an account and its tenant, and sign in', help, run }
