import { isIP } from 'node:net'
import { maxRetryAfterMs, parseRetryAfter } from '../../../src/platform/http/retry-after.ts'
import { targetProblem } from '../../../src/platform/outbound/target.ts'
import { bytesOf, mutateText, textOf } from '../mutate.ts'
import { expectThat, type Target } from '../target.ts'

const leastInputs = 50_000
const nowMs = Date.now()

const own = ['service.example']

export const addressTarget: Target = {
  name: 'address',
  leastInputs,
  make: (random) =>
    bytesOf(
      mutateText(
        random,
        ['https://a.example/x.jpg?y=1#z', 'https://service.example/', 'http://127.1:80/'],
        [
          '@',
          ':',
          '/',
          '\\',
          '.',
          '。',
          '%2e',
          '%00',
          '0x7f',
          '0177',
          '2130706433',
          '[::1]',
          '[::ffff:127.0.0.1]',
          'localhost',
          '.internal',
          '.local',
          'service.example',
          'SERVICE.EXAMPLE',
          'user:x@',
          '\t',
          '\n',
          ' ',
          '#',
          '?',
          'ⓛⓞⓒⓐⓛhost',
          'xn--',
          'file:',
          'https://',
          '\u00ad',
        ],
      ),
    ),
  async run(input) {
    const text = textOf(input)
    if (targetProblem(text, { allowLocal: false, ownHosts: own, protocols: 'https' }) !== null) return
    const { protocol, hostname, username, password } = new URL(text)
    expectThat(protocol === 'https:' && username === '' && password === '', 'calls https without a password')
    expectThat(isIP(hostname.replace(/^\[|\]$/g, '')) === 0, 'calls no IP address')
    expectThat(
      hostname.includes('.') && !/(^|\.)(localhost|local|internal|lan|onion)\.?$/.test(hostname),
      'calls public names',
    )
    expectThat(!own.includes(hostname.replace(/\.$/, '')), 'does not call the service itself')
  },
}

export const retryAfterTarget: Target = {
  name: 'retry-after',
  leastInputs,
  make: (random) =>
    bytesOf(
      mutateText(
        random,
        ['120', 'Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'],
        ['9', '-', '.', 'e', ' ', 'GMT', 'Sun', '9999', ',', ':', 'Infinity', 'NaN', '0x10', '٣'],
      ),
    ),
  async run(input) {
    const pause = parseRetryAfter(textOf(input), nowMs)
    expectThat(pause === null || (pause >= 0 && pause <= maxRetryAfterMs), 'gives a pause of at most a day, or none')
  },
}
