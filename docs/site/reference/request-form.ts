import { escapeHtml } from '../html.ts'
import type { Operation, Parameter } from './document.ts'

/** Form fields for credentials by security scheme. */
const credentialFields: Readonly<Record<string, readonly [name: string, label: string, type: string]>> = {
  ApiKey: ['api-key', 'API-KEY', 'password'],
  Domain: ['domain', 'DOMAIN', 'text'],
  AccessToken: ['access-token', 'Access token', 'password'],
  OperatorToken: ['operator-token', 'Operator token', 'password'],
}

/** Renders a form that sends the request to this service with the visitor's credentials. It needs a script. */
export function requestForm(method: string, path: string, operation: Operation): string {
  const { operationId, parameters = [], requestBody, security = [] } = operation
  const body = requestBody?.content['application/json']?.example
  const field = (name: string, label: string, attributes: string) => {
    const id = `${operationId}-${name.replaceAll(/\W+/g, '-')}`
    return `<div class="field"><label for="${id}">${escapeHtml(label)}</label><input id="${id}" name="${name}" autocomplete="off" spellcheck="false" ${attributes}></div>`
  }
  const credentials = Object.keys(security[0] ?? {}).flatMap((scheme) => {
    const [name, label, type] = credentialFields[scheme] ?? []
    return name === undefined
      ? []
      : [field(`credential-${name}`, label ?? '', `type="${type}" data-credential="${name}"`)]
  })
  const inputs = parameters.map((parameter) =>
    field(`${parameter.in}-${parameter.name}`, parameter.name, input(parameter)),
  )
  const bodyField =
    body === undefined
      ? ''
      : `<div class="field"><label for="${operationId}-body">Body</label><textarea id="${operationId}-body" name="body" class="mono" rows="${JSON.stringify(body, null, 2).split('\n').length}" spellcheck="false">${escapeHtml(JSON.stringify(body, null, 2))}</textarea></div>`
  return `<details class="try" hidden><summary>Send a request</summary>
<form data-method="${method}" data-path="${escapeHtml(path)}">${[...credentials, ...inputs].join('')}${bodyField}<p><button>Send</button></p>
<div class="answer" role="status"></div></form></details>\n`
}

function input({ in: place, name, schema, required = false }: Parameter): string {
  const example = typeof schema.example === 'string' ? ` value="${escapeHtml(schema.example)}"` : ''
  return `type="text" data-${place}="${escapeHtml(name)}"${required ? ' required' : ''}${example}`
}
