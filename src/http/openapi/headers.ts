const text = { type: 'string' } as const
const count = { type: 'integer', minimum: 0 } as const

export const headers = {
  'X-Request-Id': {
    schema: text,
    description: 'Names the request in the log of the service.',
    example: '0f7f8d1c-6c1c-4a53-9c1e-0a3a54b5a1f2',
  },
  'RateLimit-Limit': {
    schema: count,
    description: 'Requests that are admitted per minute for the domain, over all garment endpoints together.',
    example: 6,
  },
  'RateLimit-Remaining': {
    schema: count,
    description: 'Requests that are still admitted at the moment.',
    example: 5,
  },
  'RateLimit-Reset': {
    schema: count,
    description: 'Seconds until the oldest counted request leaves the window of a minute.',
    example: 60,
  },
  'Retry-After': {
    schema: count,
    description: 'Seconds after which to send the request again.',
    example: 42,
  },
  'WWW-Authenticate': { required: true, schema: text, description: 'How to authenticate.', example: 'Bearer' },
} as const

type HeaderName = keyof typeof headers

/** References to headers of the document, as the `headers` of a response. */
export const headerReferences = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
