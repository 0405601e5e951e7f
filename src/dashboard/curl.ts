/** Stands for the key, which is shown once and kept nowhere. */
const keyPlaceholder = '$API_KEY'

/** A command that uploads a garment, with the merchant's own values, to be copied into a shell. */
export function curlOfUpload({ origin, domain, apiKey }: { origin: string; domain: string; apiKey?: string }): string {
  return [
    `curl ${origin}/garment-tagging/upload \\`,
    `  -H "API-KEY: ${apiKey ?? keyPlaceholder}" \\`,
    `  -H "DOMAIN: ${domain}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"uuid": "garment-1",`,
    `       "image_url": "https://example.com/garment.jpg"}'`,
  ].join('\n')
}

export function curlOfQuery({ origin, domain, uuid }: { origin: string; domain: string; uuid: string }): string {
  // Single quotes end and begin again around a quote of the uuid's own: nothing in it may reach the shell.
  const quoted = `${origin}/garment-tagging/query?uuid=${encodeURIComponent(uuid).replaceAll("'", '%27')}`
  return [`curl '${quoted}' \\`, `  -H "API-KEY: ${keyPlaceholder}" \\`, `  -H "DOMAIN: ${domain}"`].join('\n')
}
