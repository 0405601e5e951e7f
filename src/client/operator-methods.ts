import type { CallOptions, ClientOptions } from './connection.ts'
import { sendForData } from './send.ts'
import type * as T from './types.ts'

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
