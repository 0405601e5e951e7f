import type { ConfigRow } from '../../webhook/config/config-row.ts'

/** The name of an endpoint: its description, otherwise its URL without the scheme. */
export const endpointName = ({ description, url }: Pick<ConfigRow, 'description' | 'url'>) =>
  description === '' ? url.replace(/^https?:\/\//, '') : description
