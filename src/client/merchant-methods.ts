import type { CallOptions, ClientOptions } from './connection.ts'
import { createRequests } from './send.ts'
import type * as T from './types.ts'

const tenantPath = '/merchant/tenant'
const keysPath = `${tenantPath}/api-key`

/** Methods for the account, its tenant and its keys. All except `signUp` and `signIn` need `token`. */
export function merchantMethods(options: ClientOptions) {
  const anyone = createRequests(options, 'anyone')
  const { get, post, put, remove } = createRequests(options, 'merchant')
  return {
    /** Creates an account. 400 if the email already has an account. */
    signUp: async (merchant: T.NewMerchant, call?: CallOptions): Promise<T.Merchant> =>
      await anyone.post('/merchant/sign-up', { ...call, body: merchant }),

    /** Returns an access token that is valid for one hour. Pass it as `token` to `createClient`. */
    signIn: async (credentials: T.Credentials, call?: CallOptions): Promise<T.SignedIn> =>
      await anyone.post('/merchant/sign-in', { ...call, body: credentials, repeatable: true }),

    /** Changes the password and ends all sessions and tokens. */
    changePassword: async (change: T.PasswordChange, call?: CallOptions): Promise<void> =>
      await put('/merchant/password', { ...call, body: change }),

    /** Ends all sessions and tokens of the account. */
    signOut: async (call?: CallOptions): Promise<void> => await post('/merchant/sign-out', call),

    /** Deletes the account. 409 while it has a tenant. */
    deleteMerchant: async (call?: CallOptions): Promise<void> => await remove('/merchant', call),

    /** Creates the account's tenant. An account has at most one. */
    createTenant: async (tenant: T.NewTenant, call?: CallOptions): Promise<T.Tenant> =>
      await post(tenantPath, { ...call, body: tenant }),

    /** Returns the account's tenant. 404 if there is none. */
    getTenant: async (call?: CallOptions): Promise<T.TenantWithSettings> => await get(tenantPath, call),

    /** Changes the tenant's name, description or settings. Whatever is absent stays as it is. */
    changeTenant: async (change: T.TenantChange, call?: CallOptions): Promise<T.TenantWithSettings> =>
      await put(tenantPath, { ...call, body: change }),

    /** Returns what the tenant has stored, and its quotas. */
    getUsage: async (call?: CallOptions): Promise<T.Usage> => await get(`${tenantPath}/usage`, call),

    /** Permanently deletes the tenant with its keys, garments and pictures. 409 while it has active data. */
    deleteTenant: async (call?: CallOptions): Promise<void> => await remove(tenantPath, call),

    /** Creates an API key. Only this response contains the key itself. */
    createApiKey: async (key: T.NewApiKey, call?: CallOptions): Promise<T.CreatedApiKey> =>
      await post(keysPath, { ...call, body: key }),

    /** Lists the API keys without their secrets. */
    listApiKeys: async (call?: CallOptions): Promise<T.ListedApiKey[]> =>
      (await get<{ api_keys: T.ListedApiKey[] }>(keysPath, call)).api_keys,

    /** Revokes an API key at once. */
    revokeApiKey: async (id: string, call?: CallOptions): Promise<void> =>
      await remove(`${keysPath}/${encodeURIComponent(id)}`, call),
  }
}

/** Methods for the operator. All except `checkHealth` need `operatorToken`. */
export function operatorMethods(options: ClientOptions) {
  const { get, post, put } = createRequests(options, 'operator')
  return {
    /** Throws unless the service responds. */
    checkHealth: async (call?: CallOptions): Promise<void> =>
      await createRequests(options, 'anyone').get('/health', call),

    /** Returns counts of waiting and failed work, and what is paused. */
    getStatus: async (call?: CallOptions): Promise<T.ServiceStatus> => await get('/status', call),

    /** Pauses or resumes tagging or deliveries, for one tenant or for all tenants. */
    putPause: async (pause: T.NewPause, call?: CallOptions): Promise<T.Pause> =>
      await put('/operator/pause', { ...call, body: pause }),

    /** Changes one tenant's rate limit and quotas. Null restores the service-wide setting. */
    putTenantLimits: async (limits: T.NewTenantLimits, call?: CallOptions): Promise<T.TenantLimits> =>
      await put('/operator/tenant', { ...call, body: limits }),

    /** Tags all garments uploaded in this time range again, in the background. */
    retag: async (range: T.NewRetag, call?: CallOptions): Promise<void> =>
      await post('/operator/retag', { ...call, body: range }),

    /** Repeats recorded deletions after a database was restored, one page for each call. */
    repeatDeletions: async (restored: T.RestoredDatabase, call?: CallOptions): Promise<T.RepeatedDeletions> =>
      await post('/operator/repeat-deletions', { ...call, body: restored }),

    /** Creates a link for the member with this email to set a new password. It works once, within one hour. */
    resetPassword: async (email: string, call?: CallOptions): Promise<T.PasswordReset> =>
      await post('/operator/password-reset', { ...call, body: { email } }),
  }
}
