import { ERRORS, OPERATIONS, type ErrorCode } from '@sotto/contract'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../usecases/service-error.ts'

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}code{font-size:.95em}
td,th{text-align:left;padding:.25rem .75rem .25rem 0;vertical-align:top}</style>
<h1>${escape(title)}</h1>${body}</html>`
}

const operationRows = (): string =>
  Object.values(OPERATIONS)
    .map(
      ({ method, path, summary }) =>
        `<tr><td><code>${method} ${escape(path)}</code><td>${escape(summary)}`,
    )
    .join('')

const errorRows = (): string =>
  Object.entries(ERRORS)
    .map(
      ([code, { status, message }]) =>
        `<tr><td>${status}<td><a href="/docs/errors/${code}"><code>${code}</code></a><td>${escape(message)}`,
    )
    .join('')

const isCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text)

/** Pages for a reader, made from the contract and served without external requests. */
export function registerDocs(app: FastifyInstance): void {
  app.get('/docs', async (_request, reply) => {
    const body = `<p>The whole interface as OpenAPI 3.1: <a href="/openapi.json">openapi.json</a>.
Every request carries <code>Authorization: Bearer &lt;API_KEY&gt;</code>.</p>
<h2>Operations</h2><table>${operationRows()}</table><h2>Errors</h2><table>${errorRows()}</table>`
    return reply.type('text/html; charset=utf-8').send(page('Sotto', body))
  })
  app.get<{ Params: { code: string } }>('/docs/errors/:code', async (request, reply) => {
    const { code } = request.params
    if (!isCode(code)) throw new ServiceError('NOT_FOUND')
    const { status, retry, message, nextStep } = ERRORS[code]
    const body = `<p>HTTP ${status}. ${escape(message)}</p><p><b>What to do:</b> ${escape(nextStep)}</p>
<p><code>retry</code>: ${retry}</p><p><a href="/docs">All operations and errors</a></p>`
    return reply.type('text/html; charset=utf-8').send(page(code, body))
  })
}
