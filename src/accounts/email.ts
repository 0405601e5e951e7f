/** An unquoted local part (RFC 5322): words of these characters, separated by single dots. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/

/** Characters that a domain name may have in any script. Others would end the host name in a URL. */
const domainCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u

/** A domain name in its ASCII form: at least two labels, the last one with a letter first. */
const asciiDomain = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/

const maxLocalLength = 64
const maxDomainLength = 253

/**
 * Returns the form in which emails are compared: lower case and punycode. Returns null if the text is not an email
 * address.
 */
export function emailKeyOf(email: string): string | null {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)]
  if (local.length > maxLocalLength || !localPart.test(local) || !domainCharacters.test(domain)) return null
  const ascii = URL.parse(`http://${domain}/`)?.hostname ?? ''
  if (ascii.length > maxDomainLength || !asciiDomain.test(ascii)) return null
  return `${local.toLowerCase()}@${ascii}`
}
