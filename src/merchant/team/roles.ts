import { roles } from '../../db/schema.ts'

export type Role = (typeof roles)[number]

/** Whether a role may do what `least` may. */
export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)
