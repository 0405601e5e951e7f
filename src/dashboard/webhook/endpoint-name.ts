import type { ConfigRow } from '../../webhook/config/config-row.ts'

export const webhookPath = '/dashboard/webhook'

export const endpointPath = (id: string) => `${webhookPath}/endpoint?id=${encodeURIComponent(id)}`

/** What an endpoint is called: its description, otherwise its address without the scheme. */
export const endpointName = ({ description, url }: Pick<ConfigRow, 'description' | 'url'>) =>
  description === '' ? url.replace(/^https?:\/\//, '') : description
