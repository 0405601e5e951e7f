/** The sites of eBay whose files we write, as their first column names them. */
export const ebaySites = [
  { name: 'eBay.com', siteId: 'US', country: 'US', currency: 'USD', template: 'US', isEnglish: true },
  { name: 'eBay.co.uk', siteId: 'UK', country: 'GB', currency: 'GBP', template: 'GB', isEnglish: true },
  { name: 'eBay.ie', siteId: 'Ireland', country: 'IE', currency: 'EUR', template: 'IE', isEnglish: true },
  { name: 'eBay.de', siteId: 'Germany', country: 'DE', currency: 'EUR', template: 'DE', isEnglish: false },
  { name: 'eBay.at', siteId: 'Austria', country: 'AT', currency: 'EUR', template: 'AT', isEnglish: false },
  { name: 'eBay.fr', siteId: 'France', country: 'FR', currency: 'EUR', template: 'FR', isEnglish: false },
  { name: 'eBay.it', siteId: 'Italy', country: 'IT', currency: 'EUR', template: 'IT', isEnglish: false },
  { name: 'eBay.es', siteId: 'Spain', country: 'ES', currency: 'EUR', template: 'ES', isEnglish: false },
] as const

export type EbaySite = (typeof ebaySites)[number]
