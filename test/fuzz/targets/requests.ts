import { parseCursor } from '../../../src/platform/db/page.ts'
import { ApiError } from '../../../src/platform/http/errors.ts'
import { readMultipart } from '../../../src/platform/http/multipart.ts'
import { issueSession, issueToken, newSession, readSessionToken, readToken } from '../../../src/accounts/token.ts'
import { bytesOf, mutateBytes, mutateText, textOf } from '../mutate.ts'
import { expectThat, type Target } from '../target.ts'

const leastInputs = 50_000

/** Ignores documented rejections. Any other error is a finding. */
function documented(error: unknown, statuses: readonly number[]): void {
  if (!(error instanceof ApiError) || !statuses.includes(error.status)) throw error
}

const form = [
  '--boundary\r\nContent-Disposition: form-data; name="uuid"\r\n\r\na-1\r\n',
  '--boundary\r\nContent-Disposition: form-data; name="attribute.Brand"\r\n\r\nÄnn\r\n',
  '--boundary\r\nContent-Disposition: form-data; name="image"; filename="a%22.jpg"\r\nContent-Type: image/jpeg\r\n\r\n',
  'bytes\r\n--bound of the file\r\n--boundary--\r\n',
]
const maxFileBytes = 2000

export const multipartTarget: Target = {
  name: 'multipart',
  leastInputs,
  make(random) {
    const text = mutateText(
      random,
      [form.join(''), form.slice(2).join('')],
      [
        ...form,
        '--boundary',
        '--boundary--',
        '\r\n',
        '\r\n\r\n',
        '\n',
        '"',
        'name="__proto__"',
        'filename=""',
        '\u0000',
      ],
    )
    return random.chance(0.5) ? mutateBytes(random, bytesOf(text)) : bytesOf(text)
  },
  async run(input) {
    // The piece size depends on the input, so every boundary is split in some input.
    const size = 1 + ((input[0] ?? 0) % 40) * 7
    const pieces = Array.from({ length: Math.ceil(input.length / size) }, (_, at) =>
      input.slice(at * size, (at + 1) * size),
    )
    const request = {
      headers: new Headers({
        'Content-Type': 'multipart/form-data; boundary=boundary',
        'Content-Length': String(input.length),
      }),
      body: new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece)
          controller.close()
        },
      }),
    } as unknown as Request
    try {
      const { fields, file } = await readMultipart(request, { maxFileBytes })
      expectThat(
        Object.values(fields).every((value) => typeof value === 'string'),
        'gives text fields',
      )
      const { byteLength } = await new Response(file.body).arrayBuffer()
      expectThat(byteLength === file.size && byteLength <= maxFileBytes, 'gives a file of the size that it says')
    } catch (error) {
      documented(error, [400, 411, 413, 415])
    }
  },
}

export const cursorTarget: Target = {
  name: 'cursor',
  leastInputs,
  make: (random) =>
    bytesOf(
      mutateText(random, ['1795347600000_a-1', '0_x'], ['_', '0', '-1', 'e9', '.', '\n', 'ä', '%00', '9'.repeat(20)]),
    ),
  async run(input) {
    try {
      const found = parseCursor(textOf(input))
      expectThat(found !== undefined && Number.isSafeInteger(found.at) && found.at >= 0, 'gives a time')
      expectThat(found.id.length >= 1 && [...found.id].length <= 128, 'gives an id')
    } catch (error) {
      documented(error, [400])
    }
  },
}

const secrets = { JWT_SECRET: 'a secret of at least thirty-two characters', JWT_SECRETS_OLD: [] }
const holder = { id: 'merchant', memberId: 'member', sessionVersion: 0 }
const nowMs = Date.now()
const token = await issueToken(holder, secrets, nowMs)
const session = await issueSession(newSession(holder, nowMs), secrets, nowMs)
const claims = { sub: 'other', ver: 0, iss: 'garment-tagging', aud: 'merchant', exp: 99_999_999_999 }
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const unsigned = `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`

/** Excludes the last character of a signature, because some of its bits are unused. */
const signedPart = (text: string) => text.slice(0, text.lastIndexOf('.'))

export const tokenTarget: Target = {
  name: 'jwt',
  leastInputs,
  make: (random) =>
    bytesOf(
      mutateText(
        random,
        [token, session, unsigned],
        [
          '.',
          '..',
          '=',
          'A',
          encoded({ alg: 'HS256', typ: 'JWT' }),
          encoded({ alg: 'RS256' }),
          encoded(claims),
          'null',
          '{',
          'ä',
        ],
      ),
    ),
  async run(input) {
    const text = textOf(input)
    const isOf = (issued: string) => signedPart(text) === signedPart(issued)
    if ((await readToken(text, secrets)) !== null) expectThat(isOf(token), 'accepts only what was signed')
    if ((await readSessionToken(text, secrets)) !== null) expectThat(isOf(session), 'accepts only what was signed')
  },
}
