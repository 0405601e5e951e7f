import { samplePictures } from '../platform/outbound/fetch-image.ts'

/** Stands for the API key, which is not stored. */
const keyPlaceholder = '$API_KEY'

export function uploadCommand({ origin, domain, apiKey }: { origin: string; domain: string; apiKey?: string }): string {
  return [
    `curl ${origin}/garment-tagging/upload \\`,
    `  -H "API-KEY: ${apiKey ?? keyPlaceholder}" \\`,
    `  -H "DOMAIN: ${domain}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"uuid": "garment-1",`,
    `       "image_url": "${origin}/samples/${samplePictures[0]}"}'`,
  ].join('\n')
}

export function queryCommand({ origin, domain, uuid }: { origin: string; domain: string; uuid: string }): string {
  // Percent-encodes single quotes, because they would end the shell's quoting.
  const quoted = `${origin}/garment-tagging/query?uuid=${encodeURIComponent(uuid).replaceAll("'", '%27')}`
  return [`curl '${quoted}' \\`, `  -H "API-KEY: ${keyPlaceholder}" \\`, `  -H "DOMAIN: ${domain}"`].join('\n')
}
