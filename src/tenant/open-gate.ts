import { locationOf } from '../settings.ts'

/** The gate of a domain, which is notified of every change of its tenant and keys. */
export const openGate = (env: Pick<Env, 'GATE'>, domain: string) => env.GATE.getByName(domain, locationOf(env))

export type GateStub = ReturnType<typeof openGate>
