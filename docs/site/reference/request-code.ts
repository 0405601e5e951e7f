import { codeBlock, withTabs } from '../highlight.ts'
import type { Endpoint } from './document.ts'

/** Example headers by security scheme. A script replaces their values with the reader's domain and key. */
const credentials: Readonly<Record<string, readonly [name: string, value: string]>> = {
  ApiKey: ['API-KEY', 'YOUR_API_KEY'],
  Domain: ['DOMAIN', 'ann.example'],
  AccessToken: ['Authorization', 'Bearer ACCESS_TOKEN'],
  OperatorToken: ['Authorization', 'Bearer OPERATOR_TOKEN'],
}

const quoted = (text: string, quote: string) => text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)

/** Renders a request with its required query parameters in each language, as tabs. */
export function requestCode({ method, path, operation }: Endpoint): string {
  const { parameters = [], requestBody, security = [] } = operation
  const body = requestBody?.content['application/json']?.example
  const json = body === undefined ? undefined : JSON.stringify(body, null, 2)
  const valueOf = (name: string) => {
    const example = parameters.find((parameter) => parameter.name === name)?.schema.example
    return encodeURIComponent(typeof example === 'string' ? example : name.toUpperCase()).replaceAll("'", '%27')
  }
  const query = parameters.filter(({ in: place, required }) => place === 'query' && required === true)
  const search = query.map(({ name }) => `${name}=${valueOf(name)}`).join('&')
  const own = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name))
  const url = `https://tagging.example.com${own}${search === '' ? '' : `?${search}`}`
  const headers = [
    ...Object.keys(security[0] ?? {}).flatMap((scheme) =>
      credentials[scheme] === undefined ? [] : [credentials[scheme]],
    ),
    ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ]
  const verb = method.toUpperCase()
  const object = (separator: string) => headers.map(([name, value]) => `'${name}'${separator} '${value}'`).join(', ')

  const curl = [
    `curl ${verb === 'GET' || (verb === 'POST' && json !== undefined) ? '' : `-X ${verb} `}'${url}'`,
    ...headers.map(([name, value]) => `  -H '${name}: ${value}'`),
    ...(json === undefined ? [] : [`  -d '${json.replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n')
  const js = `const response = await fetch('${url}', {
  method: '${verb}',
  headers: { ${object(':')} },${json === undefined ? '' : `\n  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),`}
})
console.log(response.status, await response.json())`
  const python = `import json, urllib.request

request = urllib.request.Request(
    "${url}",
    method="${verb}",
    headers={${object(':').replaceAll("'", '"')}},${json === undefined ? '' : `\n    data=r"""${json}""".encode(),`}
)
print(json.load(urllib.request.urlopen(request)))`
  const php = `<?php
$http = [
    'method' => '${verb}',
    'header' => [${headers.map(([name, value]) => `'${name}: ${value}'`).join(', ')}],${json === undefined ? '' : `\n    'content' => '${quoted(json, "'")}',`}
    'ignore_errors' => true,
];
echo file_get_contents('${url}', false, stream_context_create(['http' => $http]));`
  const blocks = [codeBlock(curl, 'sh'), codeBlock(js, 'js'), codeBlock(python, 'python'), codeBlock(php, 'php')]
  return `<details><summary>In your language</summary>\n${withTabs(blocks.join(''))}</details>\n`
}
