import { openApiDocument } from '@sotto/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WITH_HEAD } from './allowed-methods.ts'
import { pagePolicy } from './pages/page-policy.ts'
import { viewerFolder } from './viewer-folder.ts'

/** The URL of the document that the viewer shows. */
const DOCUMENT_URL = '/openapi.json'
const ROOT = '/docs/viewer'
/** The style sheet of our own pages. */
export const PAGE_STYLE_URL = `${ROOT}/page.css`
const HTML = 'text/html; charset=utf-8'

/**
 * With this policy, the browser connects only to this service and runs only its files, even if the viewer has a fault.
 */
const POLICY = pagePolicy()

/**
 * Starts the viewer without its validator badge, because the badge would send the document's URL to another service.
 */
const START = `SwaggerUIBundle({
  url: ${JSON.stringify(DOCUMENT_URL)},
  dom_id: '#viewer',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
  persistAuthorization: false,
})
`

const STYLE = `body { margin: 0 }
nav, main { font: 16px/1.5 system-ui; padding: .5rem 1rem }
main { max-width: 60rem; margin: 1rem auto }
code { font-size: .95em }
td, th { text-align: left; padding: .25rem .75rem .25rem 0; vertical-align: top }
`

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sotto: the HTTP interface</title>
<link rel="stylesheet" href="${ROOT}/swagger-ui.css">
<link rel="stylesheet" href="${PAGE_STYLE_URL}">
<link rel="icon" href="data:,">
<nav><a href="/docs/errors">Every error and what to do about it</a> · <a href="${DOCUMENT_URL}">openapi.json</a></nav>
<div id="viewer"></div>
<script src="${ROOT}/swagger-ui-bundle.js"></script>
<script src="${ROOT}/start.js"></script>
</html>
`

interface Asset {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

const JS = 'text/javascript; charset=utf-8'
const CSS = 'text/css; charset=utf-8'

/** Reads the files that the page uses: two unchanged files of the viewer's package, and two files of our own. */
function readAssets(): Asset[] {
  const folder = viewerFolder()
  const ofPackage = (name: string, type: string): Asset => {
    return { name, type, bytes: readFileSync(join(folder, name)) }
  }
  return [
    ofPackage('swagger-ui-bundle.js', JS),
    ofPackage('swagger-ui.css', CSS),
    { name: 'start.js', type: JS, bytes: Buffer.from(START) },
    { name: 'page.css', type: CSS, bytes: Buffer.from(STYLE) },
  ]
}

const guarded = (reply: FastifyReply): FastifyReply => reply.headers(POLICY)

/** Adds the policy's headers to a response with one of our own pages. */
export const guardPage = (reply: FastifyReply): FastifyReply => guarded(reply).type(HTML)

/** Serves a file. Browsers ask for it at each visit, but download it again only after a change. */
function serveFile(app: FastifyInstance, url: string, type: string, bytes: Buffer): void {
  const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  app.get(url, WITH_HEAD, (request, reply) => {
    guarded(reply).header('cache-control', 'no-cache').header('etag', tag)
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    return reply.type(type).send(bytes)
  })
}

let documentBytes: Buffer | undefined

/**
 * Serves the OpenAPI document, the page `/docs`, which shows the document in the viewer, and the viewer's files. Each
 * process makes the document only once, because making it takes 15 ms, and callers without a key can request it.
 */
export function registerViewer(app: FastifyInstance): void {
  app.get('/docs', WITH_HEAD, (_request, reply) => guardPage(reply).send(PAGE))
  documentBytes ??= Buffer.from(JSON.stringify(openApiDocument()))
  serveFile(app, DOCUMENT_URL, 'application/json; charset=utf-8', documentBytes)
  for (const { name, type, bytes } of readAssets()) serveFile(app, `${ROOT}/${name}`, type, bytes)
}
