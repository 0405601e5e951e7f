import { describe, expect, it } from 'vitest'
import { ownHosts, type TargetPolicy, targetProblem } from '../../../src/platform/outbound/target.ts'

const production: TargetPolicy = { allowLocal: false, ownHosts: ['tags.example.com'], protocols: 'https' }
const images: TargetPolicy = { ...production, protocols: 'http or https' }
const local: TargetPolicy = { ...production, allowLocal: true }

describe('a target in production', () => {
  it.each(['https://example.com/hook', 'https://a.example.co.uk:8443/x?y=z', 'https://münchen.example/'])(
    'may be %s',
    (url) => expect(targetProblem(url, production)).toBeNull(),
  )

  it('may be plain http for images only', () => {
    expect(targetProblem('http://example.com/a.jpg', images)).toBeNull()
    expect(targetProblem('http://example.com/a', production)).toBe('must be an https URL')
  })

  it.each([
    'https://a.example/1.jpg;https://a.example/2.jpg',
    'https://a.example/1.jpg | http://a.example/2.jpg',
    'https://a.example/1.jpg https://a.example/2.jpg',
    'https://a.example/1.jpg\nhttps://a.example/2.jpg',
  ])('must not be several: %j', (url) => expect(targetProblem(url, images)).toBe('must be one URL, not several'))

  it.each(['https://exa mple.com/', 'https://a.example/my shirt.jpg', 'https://a.example/my\u00a0shirt.jpg'])(
    'must not have a blank inside: %j',
    (url) => expect(targetProblem(url, images)).toBe('must not contain a blank; write it as %20'),
  )

  it('may have an address inside', () => {
    for (const url of ['https://a.example/fetch/w_1/https://b.example/x.jpg', 'https://a.example/?u=https://b.example'])
      expect(targetProblem(url, images)).toBeNull()
  })

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'blob:https://a.b/c',
  ])('must not have the scheme of %s', (url) => {
    expect(targetProblem(url, production)).toBe('must be an https URL')
    expect(targetProblem(url, local)).toBe('must be an https URL')
    expect(targetProblem(url, images)).toBe('must be an http or https URL')
  })

  it.each([
    'https://127.0.0.1/',
    'https://8.8.8.8/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://0/',
    'https://%31%32%37.0.0.1/',
    'https://１２７.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[fd00:ec2::254]/',
    'https://[2606:4700::1111]/',
  ])('must not be the IP literal %s', (url) => {
    expect(targetProblem(url, production)).toBe('must name a host, not an IP address')
    expect(targetProblem(url, images)).toBe('must name a host, not an IP address')
  })

  it.each([
    'https://localhost/',
    'https://LOCALHOST/',
    'https://api.localhost/',
    'https://intranet/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://metadata.google.INTERNAL/',
    'https://localhost.localdomain/',
    'https://nas.lan/',
    'https://router.home.arpa/',
    'https://api.default.svc/',
    'https://hidden.onion/',
  ])('must not be the private name %s', (url) =>
    expect(targetProblem(url, production)).toBe('must name a host on the public internet'),
  )

  it.each(['https://example.com./', 'https://localhost./', 'https://metadata.google.internal./'])(
    'must not end with a dot, which would slip past checks by name: %s',
    (url) => expect(targetProblem(url, production)).toBe('must name a host without a dot at its end'),
  )

  it.each(['https://tags.example.com/upload', 'https://TAGS.example.com:444/', 'https://tags%2Eexample.com/'])(
    'must not be our own address %s',
    (url) => expect(targetProblem(url, production)).toBe('must not be an address of this service'),
  )

  it.each(['https://user:pass@example.com/', 'https://user@example.com/', 'https://:pass@example.com/'])(
    'must not have credentials, also with local targets: %s',
    (url) => {
      expect(targetProblem(url, production)).toBe('must not contain a user name or password')
      expect(targetProblem(url, local)).toBe('must not contain a user name or password')
    },
  )

  it.each([
    'example.com',
    'https://',
    'https://exam\nple.com/',
    'https://example.com/\ud800',
    ' https://example.com/',
    '//a.b/',
  ])('must be a URL, unlike %j', (url) => expect(targetProblem(url, local)).toBe('must be a valid URL'))

  it.each(['', ' '])('is required, unlike %j', (url) => expect(targetProblem(url, local)).toBe('is required'))

  it('must have at most 2,048 characters', () => {
    const start = 'https://example.com/'
    expect(targetProblem(start + 'a'.repeat(2048 - start.length), production)).toBeNull()
    expect(targetProblem(start + 'a'.repeat(2049 - start.length), local)).toBe('must have at most 2,048 characters')
  })
})

describe('a target with local targets allowed', () => {
  it.each([
    'http://localhost:3000/',
    'http://127.0.0.1:9/x',
    'http://[::1]/',
    'http://printer.local/',
    'https://intranet/',
  ])('may be %s', (url) => expect(targetProblem(url, local)).toBeNull())
})

it.each(['https://lan.example.com/', 'https://example.lanes/', 'https://svc.example/', 'https://onion.example/'])(
  'the public name %s is not mistaken for a private one',
  (url) => expect(targetProblem(url, production)).toBeNull(),
)

it('the hosts of the service are those of PUBLIC_URL, of the request and of OWN_HOSTS', () => {
  const settings = { PUBLIC_URL: 'https://Tags.example.com:8443/x', OWN_HOSTS: ['old.example.com'] }
  expect(ownHosts(settings, 'http://127.0.0.1:8787')).toEqual(['tags.example.com', '127.0.0.1', 'old.example.com'])
  expect(ownHosts({ PUBLIC_URL: undefined, OWN_HOSTS: [] }, 'nonsense')).toEqual([])
})
