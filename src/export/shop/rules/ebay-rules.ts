import { type ColumnRule, type ShopRules } from './rule.ts'

const columns: Readonly<Record<string, ColumnRule>> = {
  'Custom label (SKU)': { maxLength: 50 },
  'Category ID': { isRequired: true, pattern: /^\d{1,10}$/, meaning: 'the number of a category' },
  Title: { isExpected: true, maxLength: 80 },
  UPC: { pattern: /^\d{8,14}$/, meaning: '8 to 14 digits' },
  Price: { isExpected: true, pattern: /^\d+\.\d\d$/, meaning: "an amount in the site's currency, such as 12.50" },
  Quantity: { pattern: /^\d{1,9}$/, meaning: 'a whole number' },
  'Item photo URL': { isExpected: true, pattern: /^https?:\/\/\S+$/, meaning: 'a public address' },
  'Condition ID': { isExpected: true, values: ['1000', '1500', '1750', '2990', '3000', '3010'] },
  Description: {},
  Format: { values: ['FixedPrice', 'Auction'] },
}

/**
 * The template of draft listings of eBay's Seller Hub reports. Only the action and the category are required: the
 * seller completes a draft (shipping, returns, payment) in Seller Hub, where these are chosen once for all.
 * @param action the first column, whose name has the site, its country and its currency
 */
export const ebayRules = (action: string): ShopRules => ({
  name: 'eBay',
  source:
    'Seller Hub > Reports > Upload > Download template > Listings (eBay-draft-listings-template, version 0.0.2), and ' +
    'https://developer.ebay.com/api-docs/sell/static/metadata/condition-id-values.html',
  read: '2026-11-22, copies of the template of 2026-07-08 in public projects, and a stored copy of the page',
  columns: { [action]: { isRequired: true, values: ['Draft'] }, ...columns },
  otherColumns: /^C:[\w ]+$/,
})
