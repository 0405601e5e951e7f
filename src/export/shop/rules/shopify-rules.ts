import type { ShopRules } from './rule.ts'

const yesOrNo = ['TRUE', 'FALSE']

/** The columns of Shopify's product import, under the names that it publishes since 2025. */
export const shopifyRules: ShopRules = {
  name: 'Shopify',
  source: 'https://help.shopify.com/en/manual/products/import-export/using-csv and its product_template.csv',
  read: '2026-11-22, stored copies of the page and of the sample file',
  columns: {
    Title: { isRequired: true, maxLength: 255 },
    'URL handle': {
      isRequired: true,
      maxLength: 255,
      pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
      meaning: 'lower-case letters, digits and hyphens',
    },
    Description: {},
    Vendor: { maxLength: 255 },
    'Product category': { pattern: /^Apparel & Accessories( > [^>]+)+$/, meaning: 'a category of its taxonomy' },
    Type: { maxLength: 255 },
    Tags: {},
    'Published on online store': { values: yesOrNo },
    Status: { isRequired: true, values: ['Active', 'Draft', 'Archived'] },
    SKU: {},
    Barcode: { pattern: /^\d{8,14}$/, meaning: '8 to 14 digits' },
    'Option1 name': { isRequired: true },
    'Option1 value': { isRequired: true, maxLength: 255 },
    Price: { isExpected: true, pattern: /^\d+\.\d\d$/, meaning: 'an amount, such as 12.50' },
    'Charge tax': { values: yesOrNo },
    'Inventory tracker': { values: ['shopify'] },
    'Inventory quantity': { pattern: /^\d{1,9}$/, meaning: 'a whole number' },
    'Continue selling when out of stock': { values: ['DENY', 'CONTINUE'] },
    'Requires shipping': { values: yesOrNo },
    'Fulfillment service': { isRequired: true, values: ['manual'] },
    'Product image URL': { isExpected: true, pattern: /^https?:\/\/\S+$/, meaning: 'a public address' },
    'Image position': { pattern: /^\d+$/, meaning: 'a number' },
    'Image alt text': { maxLength: 512 },
    'Gift card': { values: yesOrNo },
    'Google Shopping / Google product category': { pattern: /^\d+$/, meaning: 'a number' },
    'Google Shopping / Gender': { values: ['Male', 'Female', 'Unisex'] },
    'Google Shopping / Age group': { values: ['Newborn', 'Infant', 'Toddler', 'Kids', 'Adult'] },
    'Google Shopping / Condition': { values: ['New', 'Refurbished', 'Used'] },
  },
  otherColumns: /^.+ \(product\.metafields\.[\w-]+\.[\w-]+\)$/,
}
