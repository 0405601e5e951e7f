/** Matches repository notations of npm, such as `github:ann/tagging` and `git+https://gitlab.com/ann/tagging.git`. */
export type Repository = string | { readonly url: string } | undefined

const pattern = /^(?:git\+)?(?:https:\/\/)?(github|gitlab)(?:\.com\/|:)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/

/**
 * Returns the target of the "Deploy to Cloudflare" button. Returns null unless the repository is on github.com or
 * gitlab.com, the only hosts that the button accepts.
 */
export function deployUrl(repository: Repository): string | null {
  const address = typeof repository === 'object' ? repository.url : (repository ?? '')
  const [, host, path] = pattern.exec(address) ?? []
  return host === undefined || path === undefined
    ? null
    : `https://deploy.workers.cloudflare.com/?url=https://${host}.com/${path}`
}
