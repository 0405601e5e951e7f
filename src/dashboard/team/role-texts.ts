import type { Role } from '../../merchant/team/roles.ts'

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  editor: 'Editor',
  reviewer: 'Reviewer',
}

export const roleMeanings: Readonly<Record<Role, string>> = {
  owner: 'everything, with people, API keys, webhook, retention and deletion of the tenant',
  editor: 'garments, imports, exports, deliveries and studios',
  reviewer: 'looks at garments, reviews and corrects them',
}
