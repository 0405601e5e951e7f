import { describe, expect, it } from 'vitest'
import { describeMissingSecrets } from '../../src/local/wrangler.ts'

const all = ['JWT_SECRET', 'ENCRYPTION_KEY', 'OPERATOR_TOKEN']

describe('the secrets of a deployment', () => {
  it('need nothing if all are set', () => {
    expect(describeMissingSecrets(all, 'staging')).toBeNull()
  })

  it('are stored in a private file of their own as they are set, since Cloudflare never shows them again', () => {
    const [problem, ...commands] = describeMissingSecrets([], 'production')?.split('\n') ?? []
    expect(problem).toContain('move the files *.secret to a safe place')
    expect(commands).toEqual(
      all.map(
        (name) =>
          `(umask 077; openssl rand -base64 32 | tee production.${name}.secret | npx wrangler secret put ${name} --env production)`,
      ),
    )
  })

  it('are named only if they are missing, so that no key is replaced', () => {
    const problem = describeMissingSecrets(['JWT_SECRET', 'ENCRYPTION_KEY'], 'staging')
    expect(problem).toMatch(/^Missing secret: OPERATOR_TOKEN\./)
    expect(problem).not.toContain('ENCRYPTION_KEY')
  })
})
