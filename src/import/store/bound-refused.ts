import { boundText } from '../../bounds/bound-text.ts'
import { controlCharacters } from '../../http/validation/text-limits.ts'
import type { Attribute } from '../../vision/tagging.ts'
import { maxRefusedBytes } from './limits.ts'

/** JSON writes a control character as six characters. */
export const replaceControls = (text: string) => text.replaceAll(controlCharacters, '\ufffd')

/** A character that JSON does not escape has at most 3 bytes of UTF-8 for each UTF-16 code unit. */
const maxBytesOfUnit = 3

const utf8 = new TextEncoder()

/** With the colon or the comma after it. */
const bytesOf = (text: string) => utf8.encode(JSON.stringify(text)).length + 1

/**
 * The attributes of a refused line, at most 16 KiB as JSON: the first value beyond is cut off, and those after it are
 * left out.
 */
export function boundAttribute(attribute: Attribute): Attribute {
  const kept = new Map<string, string>()
  let left = maxRefusedBytes - '{}'.length
  for (const [name, value] of Object.entries(attribute)) {
    const key = replaceControls(name).toWellFormed()
    const text = replaceControls(value).toWellFormed()
    left -= bytesOf(key)
    const maxLength = Math.floor((left - '"",'.length) / maxBytesOfUnit)
    if (maxLength < 1) break
    const fits = text.length <= maxLength || bytesOf(text) <= left
    kept.set(key, fits ? text : boundText(text, maxLength))
    if (!fits) break
    left -= bytesOf(text)
  }
  return Object.fromEntries(kept)
}
