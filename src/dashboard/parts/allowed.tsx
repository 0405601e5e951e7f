import { createContext, useContext, type Child } from 'hono/jsx'
import { mayUse, type Permission } from '../../merchant/team/permissions.ts'
import type { Role } from '../../merchant/team/roles.ts'

/** The viewer's role; set by `render`. */
export const ViewerRole = createContext<Role>('reviewer')

/** Shows its children only to members who may use the route that they lead to, and `otherwise` to the others. */
export const Allowed = ({ to, otherwise, children }: { to: Permission; otherwise?: Child; children?: Child }) => (
  <>{mayUse(useContext(ViewerRole), to) ? children : otherwise}</>
)
