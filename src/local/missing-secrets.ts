/** The service starts without OPERATOR_TOKEN, but then has no /status when something goes wrong. */
const requiredSecrets = ['JWT_SECRET', 'ENCRYPTION_KEY', 'OPERATOR_TOKEN']

const listFormat = new Intl.ListFormat('en-GB')

/**
 * What to do about required secrets that are not `present`; null if none is missing. Cloudflare shows no secret again,
 * so each command keeps a copy, in a file that git ignores and other users cannot read.
 */
export function describeMissingSecrets(present: readonly string[], env: string): string | null {
  const missing = requiredSecrets.filter((name) => !present.includes(name))
  if (missing.length === 0) return null
  const commands = missing.map(
    (name) =>
      `(umask 077; openssl rand -base64 32 | tee ${env}.${name}.secret | npx wrangler secret put ${name} --env ${env})`,
  )
  return [
    `Missing ${missing.length === 1 ? 'secret' : 'secrets'}: ${listFormat.format(missing)}. Set them, move the files *.secret to a safe place, then deploy again:`,
    ...commands,
  ].join('\n')
}
