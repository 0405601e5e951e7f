import type { CallOptions, ClientOptions } from './connection.ts'
import { requestsOf } from './send.ts'
import type * as T from './types.ts'

const tenantPath = '/merchant/tenant'
const keysPath = `${tenantPath}/api-key`
const opinionPath = `${tenantPath}/second-opinion`

/** The account, its tenant and keys. All but `signUp` and `signIn` need `token`. */
export function merchantMethods(options: ClientOptions) {
  const anyone = requestsOf(options, 'anyone')
  const { get, post, put, remove } = requestsOf(options, 'merchant')
  return {
    /** Creates an account. 400 if the email already has one. */
    signUp: async (merchant: T.NewMerchant, call?: CallOptions): Promise<T.Merchant> =>
      await anyone.post('/merchant/sign-up', { ...call, body: merchant }),

    /** Gets an access token, valid for one hour. Pass it as `token` to `createClient`. */
    signIn: async (credentials: T.Credentials, call?: CallOptions): Promise<T.SignedIn> =>
      await anyone.post('/merchant/sign-in', { ...call, body: credentials, repeatable: true }),

    /** Changes the password and ends all sessions and tokens. */
    changePassword: async (change: T.PasswordChange, call?: CallOptions): Promise<void> =>
      await put('/merchant/password', { ...call, body: change }),

    /** Ends all sessions and tokens of the account. */
    signOut: async (call?: CallOptions): Promise<void> => await post('/merchant/sign-out', call),

    /** Deletes the account. 409 while it has a tenant. */
    deleteMerchant: async (call?: CallOptions): Promise<void> => await remove('/merchant', call),

    /** Creates the account's one tenant. */
    createTenant: async (tenant: T.NewTenant, call?: CallOptions): Promise<T.Tenant> =>
      await post(tenantPath, { ...call, body: tenant }),

    /** 404 if there is none. */
    getTenant: async (call?: CallOptions): Promise<T.Tenant> => await get(tenantPath, call),

    /** What the tenant has stored, and the most that it may have. */
    getUsage: async (call?: CallOptions): Promise<T.Usage> => await get(`${tenantPath}/usage`, call),

    /** Whether pictures may be sent to a larger model, where the service asks one. */
    getSecondOpinion: async (call?: CallOptions): Promise<T.SecondOpinionChoice> => await get(opinionPath, call),

    /** Allows or forbids that, from the next garment that is tagged. */
    putSecondOpinion: async (choice: T.SecondOpinionChoice, call?: CallOptions): Promise<T.SecondOpinionChoice> =>
      await put(opinionPath, { ...call, body: choice }),

    /** Deletes the tenant for good, with its keys, garments and pictures. 409 while it has active data. */
    deleteTenant: async (call?: CallOptions): Promise<void> => await remove(tenantPath, call),

    /** Creates an API key. It is shown this once. */
    createApiKey: async (key: T.NewApiKey, call?: CallOptions): Promise<T.CreatedApiKey> =>
      await post(keysPath, { ...call, body: key }),

    /** The keys, without what is secret. */
    listApiKeys: async (call?: CallOptions): Promise<T.ListedApiKey[]> =>
      (await get<{ api_keys: T.ListedApiKey[] }>(keysPath, call)).api_keys,

    /** Revokes a key at once. */
    revokeApiKey: async (id: string, call?: CallOptions): Promise<void> =>
      await remove(`${keysPath}/${encodeURIComponent(id)}`, call),
  }
}

/** All but `checkHealth` need `operatorToken`. */
export function operatorMethods(options: ClientOptions) {
  const { get, post, put } = requestsOf(options, 'operator')
  return {
    /** Throws unless the service responds. */
    checkHealth: async (call?: CallOptions): Promise<void> => await requestsOf(options, 'anyone').get('/health', call),

    /** What waits, what failed and what is paused. */
    getStatus: async (call?: CallOptions): Promise<T.ServiceStatus> => await get('/status', call),

    /** Pauses or resumes tagging or deliveries, of one tenant or of all. */
    putPause: async (pause: T.NewPause, call?: CallOptions): Promise<T.Pause> =>
      await put('/operator/pause', { ...call, body: pause }),

    /** Tags the garments that were uploaded in this time again, in the background. */
    retag: async (range: T.NewRetag, call?: CallOptions): Promise<void> =>
      await post('/operator/retag', { ...call, body: range }),

    /** Makes a link with which the member with this email sets a new password; valid once, for an hour. */
    resetPassword: async (email: string, call?: CallOptions): Promise<T.PasswordReset> =>
      await post('/operator/password-reset', { ...call, body: { email } }),
  }
}
