import type { CallOptions, ClientOptions } from './connection.ts'
import { sendForData } from './send.ts'
import type * as T from './types.ts'

const tenantPath = '/merchant/tenant'
const keysPath = `${tenantPath}/api-key`
const opinionPath = `${tenantPath}/second-opinion`

const read = { scope: 'merchant', method: 'GET', repeatable: true } as const
const act = { scope: 'merchant', method: 'POST' } as const
const replace = { scope: 'merchant', method: 'PUT' } as const
const remove = { scope: 'merchant', method: 'DELETE' } as const

/** The account, its tenant and keys. All but `signUp` and `signIn` need `token`. */
export function merchantMethods(options: ClientOptions) {
  return {
    /** Creates an account. 400 if the email already has one. */
    async signUp(merchant: T.NewMerchant, { signal }: CallOptions = {}): Promise<T.Merchant> {
      const path = '/merchant/sign-up'
      return await sendForData(options, { scope: 'anyone', method: 'POST', path, body: merchant, signal })
    },

    /** Gets an access token, valid for one hour. Pass it as `token` to `createClient`. */
    async signIn(credentials: T.Credentials, { signal }: CallOptions = {}): Promise<T.SignedIn> {
      const request = { scope: 'anyone', method: 'POST', path: '/merchant/sign-in', repeatable: true } as const
      return await sendForData(options, { ...request, body: credentials, signal })
    },

    /** Changes the password and ends all sessions and tokens. */
    async changePassword(change: T.PasswordChange, { signal }: CallOptions = {}): Promise<void> {
      await sendForData(options, { ...replace, path: '/merchant/password', body: change, signal })
    },

    /** Ends all sessions and tokens of the account. */
    async signOut({ signal }: CallOptions = {}): Promise<void> {
      await sendForData(options, { ...act, path: '/merchant/sign-out', signal })
    },

    /** Deletes the account. 409 while it has a tenant. */
    async deleteMerchant({ signal }: CallOptions = {}): Promise<void> {
      await sendForData(options, { ...remove, path: '/merchant', signal })
    },

    /** Creates the account's one tenant. */
    async createTenant(tenant: T.NewTenant, { signal }: CallOptions = {}): Promise<T.Tenant> {
      return await sendForData(options, { ...act, path: tenantPath, body: tenant, signal })
    },

    /** 404 if there is none. */
    async getTenant({ signal }: CallOptions = {}): Promise<T.Tenant> {
      return await sendForData(options, { ...read, path: tenantPath, signal })
    },

    /** What the tenant has stored, and the most that it may have. */
    async getUsage({ signal }: CallOptions = {}): Promise<T.Usage> {
      return await sendForData(options, { ...read, path: `${tenantPath}/usage`, signal })
    },

    /** Whether pictures may be sent to a larger model, where the service asks one. */
    async getSecondOpinion({ signal }: CallOptions = {}): Promise<T.SecondOpinionChoice> {
      return await sendForData(options, { ...read, path: opinionPath, signal })
    },

    /** Allows or forbids that, from the next garment that is tagged. */
    async putSecondOpinion(
      choice: T.SecondOpinionChoice,
      { signal }: CallOptions = {},
    ): Promise<T.SecondOpinionChoice> {
      return await sendForData(options, { ...replace, path: opinionPath, body: choice, signal })
    },

    /** Deletes the tenant for good, with its keys, garments and pictures. 409 while it has active data. */
    async deleteTenant({ signal }: CallOptions = {}): Promise<void> {
      await sendForData(options, { ...remove, path: tenantPath, signal })
    },

    /** Creates an API key. It is shown this once. */
    async createApiKey(key: T.NewApiKey, { signal }: CallOptions = {}): Promise<T.CreatedApiKey> {
      return await sendForData(options, { ...act, path: keysPath, body: key, signal })
    },

    /** The keys, without what is secret. */
    async listApiKeys({ signal }: CallOptions = {}): Promise<T.ListedApiKey[]> {
      return (await sendForData<{ api_keys: T.ListedApiKey[] }>(options, { ...read, path: keysPath, signal })).api_keys
    },

    /** Revokes a key at once. */
    async revokeApiKey(id: string, { signal }: CallOptions = {}): Promise<void> {
      const path = `${keysPath}/${encodeURIComponent(id)}`
      await sendForData(options, { ...remove, path, signal })
    },
  }
}

export type MerchantMethods = ReturnType<typeof merchantMethods>

/** All but `checkHealth` need `operatorToken`. */
export function operatorMethods(options: ClientOptions) {
  return {
    /** Throws unless the service responds. */
    async checkHealth({ signal }: CallOptions = {}): Promise<void> {
      await sendForData(options, { scope: 'anyone', method: 'GET', path: '/health', repeatable: true, signal })
    },

    /** What waits, what failed and what is paused. */
    async getStatus({ signal }: CallOptions = {}): Promise<T.ServiceStatus> {
      const request = { scope: 'operator', method: 'GET', path: '/status', repeatable: true } as const
      return await sendForData(options, { ...request, signal })
    },

    /** Pauses or resumes tagging or deliveries, of one tenant or of all. */
    async putPause(pause: T.NewPause, { signal }: CallOptions = {}): Promise<T.Pause> {
      const request = { scope: 'operator', method: 'PUT', path: '/operator/pause', repeatable: true } as const
      return await sendForData(options, { ...request, body: pause, signal })
    },

    /** Tags the garments that were uploaded in this time again, in the background. */
    async retag(range: T.NewRetag, { signal }: CallOptions = {}): Promise<void> {
      await sendForData(options, { scope: 'operator', method: 'POST', path: '/operator/retag', body: range, signal })
    },

    /** Makes a link with which the member with this email sets a new password; valid once, for an hour. */
    async resetPassword(email: string, { signal }: CallOptions = {}): Promise<T.PasswordReset> {
      const request = { scope: 'operator', method: 'POST', path: '/operator/password-reset', body: { email } } as const
      return await sendForData(options, { ...request, signal })
    },
  }
}

export type OperatorMethods = ReturnType<typeof operatorMethods>
