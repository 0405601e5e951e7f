import { ageGroups, availabilities } from '../defaults.ts'
import type { ShopRules } from './rule.ts'

/** Google's product data, for clothing and accessories that are sold in any country. */
export const googleRules: ShopRules = {
  name: 'Google Merchant',
  source:
    'https://support.google.com/merchants/answer/7052112 (product data specification) and the pages of its attributes',
  read: '2026-11-22, stored copies of the pages',
  columns: {
    id: { isRequired: true, maxLength: 50 },
    title: { isRequired: true, maxLength: 150 },
    description: { isRequired: true, maxLength: 5000 },
    link: { isRequired: true, maxLength: 2000, pattern: /^https?:\/\/\S+$/, meaning: 'an address' },
    image_link: { isRequired: true, maxLength: 2000, pattern: /^https?:\/\/\S+$/, meaning: 'a public address' },
    availability: { isRequired: true, values: availabilities },
    price: {
      isRequired: true,
      pattern: /^\d+\.\d\d [A-Z]{3}$/,
      meaning: 'an amount and a currency, such as 12.50 EUR',
    },
    condition: { isRequired: true, values: ['new', 'refurbished', 'used'] },
    brand: { maxLength: 70 },
    gtin: { pattern: /^\d{8,14}$/, meaning: '8 to 14 digits' },
    mpn: { maxLength: 70 },
    identifier_exists: { values: ['yes', 'no'] },
    google_product_category: { pattern: /^\d+$/, meaning: 'a number' },
    product_type: { maxLength: 750 },
    gender: { isRequired: true, values: ['male', 'female', 'unisex'] },
    age_group: { isRequired: true, values: ageGroups },
    color: { isRequired: true, maxLength: 100 },
    // Of clothing and shoes; some countries sell without it.
    size: { isExpected: true, maxLength: 100 },
    material: { maxLength: 200 },
    pattern: { maxLength: 100 },
    custom_label_0: { maxLength: 100 },
  },
}
