import type { ConfigRow } from '../../webhook/config/config-row.ts'

export const webhookPath = '/dashboard/webhook'

export const endpointPath = (id: string) => `${webhookPath}/endpoint?id=${encodeURIComponent(id)}`

/** The name of an endpoint: its description, otherwise its URL without the scheme. */
export const endpointName = ({ description, url }: Pick<ConfigRow, 'description' | 'url'>) =>
  description === '' ? url.replace(/^https?:\/\//, '') : description
