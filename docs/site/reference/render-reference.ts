import type { OpenApiDocument } from '../../../src/platform/http/openapi.ts'
import { slugOf, textOf } from '../html.ts'
import type { RenderedPage } from '../render-markdown.ts'
import { type Document, type Endpoint, endpointsOf } from './document.ts'
import { inline } from './inline.ts'
import { renderEvent, renderOperation } from './render-operation.ts'

const urlOfTag = (name: string) => `/docs/api/${slugOf(name)}`

/** Renders the API reference: one page per tag, and one for webhook events. */
export function renderReference(openApi: OpenApiDocument): RenderedPage[] {
  const document = JSON.parse(JSON.stringify(openApi)) as Document
  const endpoints = endpointsOf(document)
  const pages = document.tags.map(({ name, description }) =>
    tagPage(
      name,
      description,
      endpoints.filter(({ operation }) => operation.tags.includes(name)),
      document,
    ),
  )
  return [...pages, eventsPage(document)]
}

/** Returns the reference URL of each endpoint by method and path. */
export const endpointLinks = (openApi: OpenApiDocument): ReadonlyMap<string, string> =>
  new Map(
    endpointsOf(JSON.parse(JSON.stringify(openApi)) as Document).map(({ method, path, operation }) => [
      `${method.toUpperCase()} ${path}`,
      `${urlOfTag(operation.tags[0] ?? '')}#${operation.operationId}`,
    ]),
  )

function tagPage(name: string, description: string, endpoints: readonly Endpoint[], document: Document): RenderedPage {
  const sections = endpoints.map(({ method, path, operation }) => renderOperation(method, path, operation, document))
  return page(urlOfTag(name), name, `<h1>${name}</h1><p>${inline(description)}</p>${sections.join('')}`)
}

function eventsPage(document: Document): RenderedPage {
  const events = Object.entries(document.webhooks).map(([event, { post }]) =>
    post === undefined ? '' : renderEvent(event, post, document),
  )
  const about = `<h1>Webhook events</h1><p>Each is a <code>POST</code> with a JSON body to the address of the webhook. Answer with any 2xx status within 15 seconds. <a href="/docs/guides/receivers">Verify the signature</a> first.</p>`
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
