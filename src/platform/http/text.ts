import type { HonoRequest } from 'hono'
import { ApiError } from './errors.ts'

const notText = (problem: string) => new ApiError('malformed_body', 'Malformed text', [problem])

export const notUtf8 = (what: string) => notText(`${what} is not UTF-8; send it in UTF-8.`)

const notInCharset = (charset: string) =>
  notText(`The body is not text in the charset ${charset} that Content-Type declares; send it in UTF-8.`)

const loneSurrogate = () =>
  notText('The body has half of a surrogate pair, such as \\ud83d alone, which is no character; send whole ones.')

const charsetOf = (contentType: string) => /;\s*charset\s*=\s*"?([\w:.-]{1,40})/i.exec(contentType)?.[1]

/** Decodes bytes in the declared charset, UTF-8 by default. Throws 400 for other bytes. */
function decode(bytes: ArrayBuffer, contentType: string): string {
  const charset = charsetOf(contentType)
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw charset === undefined || /^utf-?8$/i.test(charset) ? notUtf8('The body') : notInCharset(charset)
  }
}

/** Whether JSON contains half of an escaped surrogate pair, which UTF-8 cannot store. */
export const hasLoneSurrogate = (json: string): boolean =>
  /\\ud[89a-f]/i.test(json.replaceAll('\\\\', '_').replaceAll(/\\ud[89ab][\da-f]{2}\\ud[c-f][\da-f]{2}/gi, '_'))

/** Parsers drop the key `__proto__`. */
export const hasProtoKey = (json: string): boolean => /"__proto__"\s*:/.test(json)

/** Throws 400 for JSON that cannot be stored unchanged. */
export function checkJson(json: string): void {
  if (hasLoneSurrogate(json)) throw loneSurrogate()
  if (hasProtoKey(json)) throw notText('The body has a key __proto__, which cannot be stored. Use another name.')
}

const percentEncoded = /(?:%[\da-f]{2})+/gi

/** Whether the percent-encoded bytes of a URL or form are UTF-8. A lone `%` stands for itself. */
export function isUtf8Encoded(text: string): boolean {
  try {
    for (const [run] of text.matchAll(percentEncoded)) decodeURIComponent(run)
    return true
  } catch {
    return false
  }
}

/** Reads a body as text, also for later readers. Throws 400 for anything else. */
export async function readText(request: HonoRequest): Promise<string> {
  const contentType = request.header('content-type') ?? ''
  const text = decode(await request.arrayBuffer(), contentType)
  if (charsetOf(contentType) !== undefined) {
    request.raw = new Request(request.raw.url, { method: request.method, headers: request.raw.headers, body: text })
    request.bodyCache = {}
  }
  return text
}
