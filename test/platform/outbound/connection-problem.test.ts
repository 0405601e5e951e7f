// The Workers runtime, not Node.js, makes the requests.
import 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import { problemOfError, problemOfPlatformAnswer } from '../../../src/platform/outbound/read-answer.ts'
import { handshakePage, originDnsPage, plainPage, refusedPage, type RecordedAnswer } from './cloudflare-pages.ts'

const problemOf = ({ status, headers, body }: RecordedAnswer) =>
  problemOfPlatformAnswer(new Response(null, { status, headers }), body)

describe('an answer of the platform', () => {
  it.each([
    ['1016 as text', plainPage(530, 1016), 'host_not_found'],
    ['1016 as HTML', originDnsPage, 'host_not_found'],
    ['1001', plainPage(530, 1001), 'host_not_found'],
    ['1003, direct access by address', plainPage(530, 1003), 'connection_failed'],
    ['520', plainPage(520, 520), 'connection_failed'],
    ['521 as HTML', refusedPage, 'connection_failed'],
    ['522', plainPage(522, 522), 'connection_failed'],
    ['523', plainPage(523, 523), 'connection_failed'],
    ['525 as HTML', handshakePage, 'tls_handshake_failed'],
    ['526', plainPage(526, 526), 'tls_handshake_failed'],
  ])('with code %s says why no answer came', (_, page, problem) => expect(problemOf(page)).toBe(problem))
})

describe('an answer of the host itself', () => {
  const dns = plainPage(530, 1016)
  it.each([
    ['its own 530', { ...dns, body: 'error code: 7' }],
    ['a 530 behind Cloudflare with its own page', { ...dns, body: '{"error":"error code: 1016"}' }],
    ['the words of the page from another server', { ...dns, headers: { 'cf-ray': '1', server: 'nginx' } }],
    ['no ray', { ...dns, headers: { server: 'cloudflare' } }],
    ['a 500 with the words of the page', { ...dns, status: 500 }],
    ['a code that is not that of its status', plainPage(521, 522)],
    ['an own 521 behind Cloudflare', { ...refusedPage, body: '<title>We are down</title>' }],
  ])('is not mistaken for an error page of the platform: %s', (_, answer) => expect(problemOf(answer)).toBeNull())
})

it('an error page of the platform is recognised in a response of fetch', async () => {
  const query = new URLSearchParams({
    status: '530',
    text: 'error code: 1016',
    server: 'cloudflare',
    'cf-ray': '8f1c-FRA',
  })
  const response = await fetch(`${inject('httpHost')}/to/platform?${query.toString()}`)
  expect(problemOfPlatformAnswer(response, await response.text())).toBe('host_not_found')
})

it.each([
  ['Error: DNS lookup failed.', 'host_not_found'],
  ['TypeError: getaddrinfo ENOTFOUND', 'host_not_found'],
  ['Error: TLS peer’s certificate is not trusted', 'tls_handshake_failed'],
  ['Error: Network connection lost.', 'connection_failed'],
])('the error "%s" of fetch is reported as: %s', (message, problem) => expect(problemOfError(message)).toBe(problem))
