import type { Actor } from '../audit/record-entry.ts'

/** A member as who makes a change. */
export const toActor = ({ id, name }: { readonly id: string; readonly name: string }): Actor => ({
  kind: 'member',
  id,
  name,
})
