import { exportFormats, type ExportFormat } from '../../export/stream-export.ts'

/** What the formats are called on the page. */
export const formatNames: Readonly<Record<ExportFormat, string>> = {
  csv: 'CSV',
  json: 'JSON',
  shopify: 'Shopify',
  google: 'Google Merchant',
  ebay: 'eBay',
}

export const isFormat = (name: string): name is ExportFormat => exportFormats.some((format) => format === name)
