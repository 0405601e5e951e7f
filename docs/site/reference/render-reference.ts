import { marked } from 'marked'
import type { OpenApiDocument } from '../../../src/platform/http/openapi.ts'
import { escapeHtml, slugOf, textOf } from '../html.ts'
import type { RenderedPage } from '../render-markdown.ts'
import type { Document, Operation } from './document.ts'
import { inline } from './inline.ts'
import { renderEvent, renderOperation } from './render-operation.ts'
import { fieldTable } from './schema-rows.ts'

interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const urlOfTag = (name: string) => `/docs/api/${slugOf(name)}`

/** The pages of the API reference: an overview, one for each tag, and the events of webhooks. */
export function renderReference(openApi: OpenApiDocument): RenderedPage[] {
  const document = JSON.parse(JSON.stringify(openApi)) as Document
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const pages = document.tags.map(({ name, description }) =>
    tagPage(
      name,
      description,
      endpoints.filter(({ operation }) => operation.tags.includes(name)),
      document,
    ),
  )
  return [overviewPage(endpoints, document), ...pages, eventsPage(document)]
}

function overviewPage(endpoints: readonly Endpoint[], document: Document): RenderedPage {
  const lists = document.tags.map(({ name, description }) => {
    const rows = endpoints
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => {
        const link = `${urlOfTag(name)}#${operation.operationId}`
        return `<tr><td><span class="method ${method}">${method.toUpperCase()}</span></td><td><a href="${link}"><code>${escapeHtml(path)}</code></a></td><td>${escapeHtml(operation.summary)}</td></tr>`
      })
    return `<h2 id="${slugOf(name)}"><a href="#${slugOf(name)}">${name}</a></h2><p>${inline(description)}</p><div class="wide" tabindex="0"><table class="endpoints"><tbody>${rows.join('')}</tbody></table></div>`
  })
  const headers = Object.entries(document.components.headers).map(([name, header]) => ({
    name,
    isRequired: false,
    schema: { type: 'string', ...header },
  }))
  const about = marked.parse(document.info.description, { async: false })
  const files =
    '<p>The whole description is at <a href="/openapi.json"><code>/openapi.json</code></a> (OpenAPI 3.1), and as a collection for Postman at <a href="/docs/postman.json"><code>/docs/postman.json</code></a>. <a href="/docs/llms.txt"><code>/docs/llms.txt</code></a> lists all pages for programs that read.</p>'
  const html = `<h1>API overview</h1>${about}${files}${lists.join('')}<h2 id="headers"><a href="#headers">Headers of responses</a></h2>${fieldTable('Headers', headers)}`
  return page('/docs/api/', 'API overview', html)
}

function tagPage(name: string, description: string, endpoints: readonly Endpoint[], document: Document): RenderedPage {
  const sections = endpoints.map(({ method, path, operation }) => renderOperation(method, path, operation, document))
  return page(urlOfTag(name), name, `<h1>${name}</h1><p>${inline(description)}</p>${sections.join('')}`)
}

function eventsPage(document: Document): RenderedPage {
  const events = Object.entries(document.webhooks).map(([event, { post }]) =>
    post === undefined ? '' : renderEvent(event, post, document),
  )
  const about = `<h1>Webhook events</h1><p>Each is a <code>POST</code> with a JSON body to the address of the webhook. Answer with any 2xx status within 15 seconds. <a href="/docs/guides/verify-signatures">Verify the signature</a> first.</p>`
  return page('/docs/api/webhook-events', 'Webhook events', about + events.join(''))
}

function page(url: string, title: string, html: string): RenderedPage {
  const found = [...html.matchAll(/<h2 id="([^"]+)"><a [^>]*>(.*?)<\/a>/g)]
  return {
    url,
    title,
    html,
    headings: found.map(([, id = '', text = '']) => ({ id, text: textOf(text) })),
  }
}
