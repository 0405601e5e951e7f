import type { ParsedSize } from '../../garments/sizes/size-rules.ts'
import { isJacketSize, systemNames } from '../../garments/sizes/size-text.ts'
import type { SizeSystem, SizeType } from '../../garments/sizes/size-words.ts'
import type { EbaySite } from './export-defaults.ts'

/** Size systems that Google knows. See https://support.google.com/merchants/answer/6324502, read on 2026-11-29. */
export const googleSizeSystems = ['AU', 'BR', 'CN', 'DE', 'EU', 'FR', 'IT', 'JP', 'MEX', 'UK', 'US'] as const

const googleSystems: Readonly<Partial<Record<SizeSystem, string>>> = { shoe_eu: 'EU', shoe_us: 'US', shoe_uk: 'UK' }

/**
 * Google's size types. `big_tall` is written as two values. See https://support.google.com/merchants/answer/6324497.
 */
const googleSizeTypes: Readonly<Record<SizeType, string>> = {
  regular: 'regular',
  petite: 'petite',
  tall: 'tall',
  plus: 'plus',
  maternity: 'maternity',
  big_tall: 'big, tall',
}

const cutLetters: Readonly<Partial<Record<SizeType, string>>> = { regular: 'R', petite: 'S', tall: 'L' }

const waistAndLeg = ({ value }: ParsedSize): (string | undefined)[] =>
  /^W(\S+)(?: L(\S+))?$/.exec(value)?.slice(1) ?? []

const shoeNumber = ({ system, value }: ParsedSize) => (system.startsWith('shoe_') ? value.replace(/[CY]$/, '') : value)

interface GoogleSize {
  readonly size: string
  readonly system: string
  readonly type: string
}

/** Writes a size for Google Merchant: `32/34` instead of `W32 L34`, the system apart, ages in lower case. */
export function googleSize(size: ParsedSize | null): GoogleSize {
  if (size === null || size.isUnsure) return { size: '', system: '', type: '' }
  const { system, type, country } = size
  const named = country ?? googleSystems[system] ?? ''
  return {
    size: googleValue(size),
    system: googleSizeSystems.some((known) => known === named) ? named : '',
    type: type === null ? '' : googleSizeTypes[type],
  }
}

function googleValue(size: ParsedSize): string {
  const { system, value, type } = size
  if (system === 'one_size') return 'one_size'
  if (system === 'waist_length') return waistAndLeg(size).filter(Boolean).join('/')
  if (system === 'none') return value.replace(/ (cm|mm)$/, '')
  if (isJacketSize(size)) return value + ((type && cutLetters[type]) ?? '')
  return system === 'age_months' ? value.toLowerCase() : shoeNumber(size)
}

interface EbaySize {
  readonly size: string
  readonly leg: string
  readonly type: string
}

/** Systems in which a site's buyers choose sizes. A size of another system keeps the name of its system. */
const siteSystems: Readonly<Record<EbaySite['country'], readonly SizeSystem[]>> = {
  US: ['US', 'shoe_us'],
  GB: ['UK', 'shoe_uk'],
  IE: ['UK', 'shoe_uk'],
  DE: ['DE', 'EU', 'shoe_eu'],
  AT: ['DE', 'EU', 'shoe_eu'],
  FR: ['FR', 'EU', 'shoe_eu'],
  IT: ['IT', 'EU', 'shoe_eu'],
  ES: ['EU', 'shoe_eu'],
}

const ebaySizeTypes: Readonly<Record<SizeType, string>> = {
  regular: 'Regular',
  petite: 'Petites',
  tall: 'Tall',
  plus: 'Plus',
  maternity: 'Maternity',
  big_tall: 'Big & Tall',
}

/** True if a size is of another country's system than the buyers of the eBay site use. */
export function isForeignSize({ system, country }: ParsedSize, site: EbaySite): boolean {
  if (country === undefined && !system.startsWith('shoe_')) return false
  return systemNames[system] !== undefined && !siteSystems[site.country].includes(system)
}

/**
 * Writes a size for eBay, whose lists of values only signed-in sellers can read. So the value is normalised as eBay
 * announced for 2026 (`S`, not `Small`), but could not be compared with the lists.
 */
export function ebaySize(size: ParsedSize | null, site: EbaySite): EbaySize {
  if (size === null || size.isUnsure) return { size: '', leg: '', type: '' }
  const { system, value, type } = size
  const [waist, leg = ''] = system === 'waist_length' ? waistAndLeg(size) : []
  const named = isForeignSize(size, site) ? `${systemNames[system] ?? ''} ${shoeNumber(size)}` : shoeNumber(size)
  const text = system.startsWith('age_') ? value.replace(/[my]\w+$/, capitalise) : named
  return {
    size: waist ?? (isJacketSize(size) ? value + ((type && cutLetters[type]) ?? '') : text),
    leg,
    type: type === null ? '' : ebaySizeTypes[type],
  }
}

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
