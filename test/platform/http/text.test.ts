import { describe, expect, it } from 'vitest'
import { hasLoneSurrogate, isUtf8Encoded } from '../../../src/platform/http/text.ts'
import { newTenant, origin, raw } from '../../service.ts'

const latin1 = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** Nothing listens there. */
const garment = (rest: string) => `{"uuid": "a", "image_url": "http://127.0.0.1:9/x.jpg"${rest}}`

async function post(path: string, type: string, body: Uint8Array<ArrayBuffer> | string, more = {}) {
  const response = await raw('POST', path, { 'Content-Type': type, ...more }, body)
  const { code, error } = await response.json<{ code?: string; error: string[] }>()
  return { status: response.status, code, error }
}

const upload = '/garment-tagging/upload'

describe('a JSON body', () => {
  it('that is not UTF-8 is refused with the cause', async () => {
    const { auth } = await newTenant()
    const body = latin1(garment(', "attribute": {"Brand": "Gr\u00f6\u00dfe"}'))
    expect(await post(upload, 'application/json', body, auth)).toEqual({
      status: 400,
      code: 'malformed_body',
      error: ['The body is not UTF-8; send it in UTF-8.'],
    })
  })

  it('is decoded by the charset that it declares', async () => {
    const { auth } = await newTenant()
    const body = latin1(garment(', "attribute": {"Brand": "Gr\u00f6\u00dfe"}'))
    expect(await post(upload, 'application/json; charset=iso-8859-1', body, auth)).toMatchObject({ status: 200 })
    const same = garment(', "attribute": {"Brand": "Gr\u00f6\u00dfe"}')
    expect(await post(upload, 'application/json', same, auth)).toMatchObject({ status: 200 })
  })

  it('in an unknown charset is refused with its name', async () => {
    const { auth } = await newTenant()
    expect(await post(upload, 'application/json; charset=ebcdic-1', garment(''), auth)).toMatchObject({
      status: 400,
      error: [expect.stringContaining('the charset ebcdic-1')],
    })
  })

  it('with a password in another charset never signs anybody up', async () => {
    const cp1251 = Uint8Array.from(Array.from({ length: 12 }, () => 0xea))
    const start = new TextEncoder().encode('{"email": "a@b.example", "name": "A", "password": "')
    const body = Uint8Array.from([...start, ...cp1251, ...new TextEncoder().encode('"}')])
    expect(await post('/merchant/sign-up', 'application/json', body)).toMatchObject({
      status: 400,
      code: 'malformed_body',
    })
  })

  it.each([
    ', "attribute": {"Brand": "\\ud83d"}',
    ', "attribute": {"Brand": "\\uDE00x"}',
    ', "attribute": {"\\ud83d\\ud83d": "x"}',
    ', "else": ["\\ud83d\\\\\\ude00"]',
  ])('with half of a surrogate pair anywhere is refused: %s', async (rest) => {
    const { auth } = await newTenant()
    expect(await post(upload, 'application/json', garment(rest), auth)).toMatchObject({
      status: 400,
      error: [expect.stringContaining('surrogate')],
    })
  })

  it('may have whole pairs, and text that only looks like a half', () => {
    for (const json of ['"\\ud83d\\ude00"', '"\\\\ud83d"', '"\u{1f457}"', '"\\u00e9"'])
      expect([json, hasLoneSurrogate(json)]).toEqual([json, false])
  })
})

describe('percent-encoded text', () => {
  it('is refused in an address unless it is UTF-8', async () => {
    const { auth } = await newTenant()
    const response = await raw('GET', '/garment-tagging/query?uuid=Gr%F6%DFe', auth)
    expect([response.status, (await response.json<{ error: string[] }>()).error]).toEqual([
      400,
      ['The address is not UTF-8; percent-encode its text in UTF-8.'],
    ])
  })

  it('is refused in a form unless it is UTF-8', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin }
    const answer = async (secret: string) => {
      const response = await raw('POST', '/dashboard/sign-in', headers, `email=a@b.example&password=${secret}`)
      return await response.text()
    }
    expect(await answer('%EA%EA%EA%EA%EA%EA%EA%EA')).toContain('The form is not UTF-8')
    expect(await answer('%D0%BA%D0%BA%D0%BA%D0%BA%D0%BA')).not.toContain('UTF-8')
  })

  it('may have a percent sign that encodes nothing', () => {
    expect([isUtf8Encoded('100%'), isUtf8Encoded('%zz'), isUtf8Encoded('%F0%9F%91%97 %41')]).toEqual([true, true, true])
  })
})

describe('a part of a form', () => {
  const form = (part: string) =>
    latin1(
      `--b\r\nContent-Disposition: form-data; name="uuid"\r\n\r\n${part}\r\n` +
        '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n\u00ff\u00d8\u00ff\r\n--b--\r\n',
    )

  it('that is not UTF-8 is refused with its name', async () => {
    const { auth } = await newTenant()
    const body = form('Gr\u00f6\u00dfe')
    const length = { 'Content-Length': String(body.length) }
    expect(await post(upload, 'multipart/form-data; boundary=b', body, { ...auth, ...length })).toMatchObject({
      status: 400,
      error: ["The form's part uuid, a text since it has no filename, is not UTF-8; send it in UTF-8."],
    })
  })
})
