/** What npm accepts, such as `github:ann/tagging` and `git+https://gitlab.com/ann/tagging.git`. */
export type Repository = string | { readonly url: string } | undefined

const pattern = /^(?:git\+)?(?:https:\/\/)?(github|gitlab)(?:\.com\/|:)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/

/**
 * Where the "Deploy to Cloudflare" button leads, or null without a repository on github.com or gitlab.com, which are
 * the only ones that it accepts.
 */
export function deployUrl(repository: Repository): string | null {
  const address = typeof repository === 'object' ? repository.url : (repository ?? '')
  const [, host, path] = pattern.exec(address) ?? []
  return host === undefined || path === undefined
    ? null
    : `https://deploy.workers.cloudflare.com/?url=https://${host}.com/${path}`
}
