/** The gates of all domains; a change of a tenant or its keys is told to the domain's gate. */
export type TenantGates = Env['GATE']
