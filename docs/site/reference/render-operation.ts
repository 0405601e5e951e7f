import { codeBlock } from '../highlight.ts'
import { escapeHtml } from '../html.ts'
import type { Document, Operation, Parameter, Response } from './document.ts'
import { inline } from './inline.ts'
import { requestCode } from './request-code.ts'
import { requestForm } from './request-form.ts'
import { fieldTable, resolve, rowsOf, type Row } from './schema-rows.ts'

const json = (value: unknown) => codeBlock(JSON.stringify(value, null, 2), 'json')

const paragraph = (text: string) => (text === '' ? '' : `<p>${inline(text)}</p>\n`)

const parameterRows = (parameters: readonly Parameter[], place: string): Row[] =>
  parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, required = false, schema, description = schema.description ?? '' }) => ({
      name,
      isRequired: required,
      schema: { ...schema, description },
    }))

const escapedPath = (path: string) => escapeHtml(path).replaceAll('/', '/<wbr>')

/** Renders an endpoint: parameters, body, responses, and a form that calls it. */
export function renderOperation(method: string, path: string, operation: Operation, document: Document): string {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json']
  const isJson =
    responses['200']?.content?.['application/json'] !== undefined && (requestBody === undefined || body !== undefined)
  return [
    `<section class="operation"><h2 id="${operationId}"><a href="#${operationId}">${escapeHtml(summary)}</a></h2>\n`,
    `<p class="path"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escapedPath(path)}</code></p>\n`,
    paragraph(description),
    credentialsOf(operation, document),
    fieldTable('Path', parameterRows(parameters, 'path')),
    fieldTable('Query', parameterRows(parameters, 'query')),
    body === undefined ? '' : fieldTable('Body', rowsOf(body.schema, document)),
    otherBodiesOf(operation, document),
    successOf(responses['200'], document),
    failuresOf(responses, document),
    isJson ? requestCode({ method, path, operation }) + requestForm(method.toUpperCase(), path, operation) : '',
    '</section>\n',
  ].join('')
}

/** Renders a body that is not JSON: form fields, or an example. */
function otherBodiesOf({ requestBody }: Operation, document: Document): string {
  const others = Object.entries(requestBody?.content ?? {}).filter(([type]) => type !== 'application/json')
  return others
    .map(([type, { schema, example }]) =>
      schema.type === 'object'
        ? fieldTable(`Body as ${type}`, rowsOf(schema, document))
        : `<h3>Body as ${type}</h3>\n${codeBlock(String(example), 'text')}`,
    )
    .join('')
}

/** Renders a webhook event: headers and body. */
export function renderEvent(
  event: string,
  { summary, description = '', parameters = [], requestBody }: Operation,
  document: Document,
): string {
  const body = requestBody?.content['application/json']
  const id = event.replace('.', '-')
  return [
    `<h2 id="${id}"><a href="#${id}"><code>${event}</code></a></h2>\n`,
    paragraph(`${summary}. ${description}`),
    fieldTable('Headers', parameterRows(parameters, 'header')),
    body === undefined ? '' : fieldTable('Body', rowsOf(body.schema, document)) + json(body.example),
  ].join('')
}

function credentialsOf({ security = [] }: Operation, { components }: Document): string {
  const names = Object.keys(security[0] ?? {}).map(
    (scheme) => `<code>${components.securitySchemes[scheme]?.name ?? 'Authorization: Bearer'}</code>`,
  )
  return names.length === 0 ? '' : `<p class="note">Needs ${names.join(' and ')}.</p>\n`
}

function successOf(response: Response | undefined, document: Document): string {
  const content = response?.content?.['application/json']
  if (content === undefined) return ''
  const data = resolve(content.schema, document).properties?.['data']
  const variants = data?.anyOf ?? (data === undefined ? [] : [data])
  const tables = variants.map((variant, i) => fieldTable(i === 0 ? 'data' : 'or data', rowsOf(variant, document)))
  return `<h3>Success</h3>\n${tables.join('')}<details><summary>Example</summary>${json(content.example)}</details>\n`
}

/** Renders all statuses except 200, each with causes and headers. */
function failuresOf(responses: Operation['responses'], { components }: Document): string {
  const rows = Object.entries(responses)
    .filter(([status]) => status !== '200')
    .map(([status, { description, content = {}, headers = {} }]) => {
      const examples = Object.values(content['application/json']?.examples ?? {}) as {
        value: { message: string; error: string[] }
      }[]
      const causes = examples.map(
        ({ value }) => `<strong>${escapeHtml(value.message)}</strong>: ${escapeHtml(value.error.join(' '))}`,
      )
      const named = Object.keys(headers).filter((name) => name in components.headers && name !== 'X-Request-Id')
      const sent =
        named.length === 0
          ? ''
          : `<br><span class="note">${named.map((name) => `<code>${name}</code>`).join(' ')}</span>`
      return `<tr><th scope="row">${status}</th><td>${causes.length === 0 ? escapeHtml(description) : causes.join('<br>')}${sent}</td></tr>`
    })
  return `<details><summary>Other statuses</summary><div class="wide" tabindex="0"><table><tbody>${rows.join('')}</tbody></table></div></details>\n`
}
