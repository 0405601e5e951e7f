import { Webhook } from 'standardwebhooks'
import { Webhook as FirstWebhook } from 'standardwebhooks-1.0.0'
import { Webhook as SvixWebhook } from 'svix'

/** Those with which receivers verify signatures. */
export const libraries = [
  ['standardwebhooks', Webhook],
  ['standardwebhooks 1.0.0', FirstWebhook],
  ['svix', SvixWebhook],
] as const
