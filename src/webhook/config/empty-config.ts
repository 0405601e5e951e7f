import { defaultEvents } from '../../events/catalogue.ts'
import { encrypt, keyIdOf, type EncryptionKeys } from './encrypt.ts'

export const noFailures = { failingSince: null, disabledReason: '' }

/** The defaults of an endpoint's fields beyond a configuration's four. */
export const defaultOptions = {
  description: '',
  events: defaultEvents,
  maxPerSecond: null,
  reportedFailing: null,
  reportedReason: '',
  expiresAt: null,
  ...noFailures,
}

/** The columns of an endpoint without a receiver. */
export const emptyConfig = async (keys: EncryptionKeys, tenantId: string) => ({
  ...defaultOptions,
  enabled: false,
  url: '',
  secret: null,
  formerSecret: null,
  formerSecretUntil: null,
  headers: await encrypt('{}', keys, tenantId),
  keyId: await keyIdOf(keys.current),
})
