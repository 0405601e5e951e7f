import { describe, expect, it } from 'vitest'
import { deployUrl } from '../../docs/site/deploy-url.ts'

const service = 'https://deploy.workers.cloudflare.com/?url='

describe('the address of the "Deploy to Cloudflare" button', () => {
  it.each([
    ['https://github.com/ann/tagging', 'https://github.com/ann/tagging'],
    ['github:ann/tagging', 'https://github.com/ann/tagging'],
    [{ type: 'git', url: 'git+https://gitlab.com/ann/tagging.js.git' }, 'https://gitlab.com/ann/tagging.js'],
  ])('for %j leads to %s', (repository, address) => {
    expect(deployUrl(repository)).toBe(service + address)
  })

  it.each([
    undefined,
    '',
    'https://git.example/ann/tagging',
    'https://github.com/ann',
    'https://github.com/a/b"><script>',
  ])('does not exist for %j', (repository) => {
    expect(deployUrl(repository)).toBeNull()
  })
})
