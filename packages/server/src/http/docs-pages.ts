import { ERROR_CAUSES, ERRORS, type ErrorCode } from '@sotto/contract'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../usecases/service-error.ts'
import { WITH_HEAD } from './allowed-methods.ts'
import { guardPage, PAGE_STYLE_URL, registerViewer } from './docs-viewer.ts'

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title>
<link rel="stylesheet" href="${PAGE_STYLE_URL}"><link rel="icon" href="data:,">
<main><h1>${escape(title)}</h1>${body}</main></html>`
}

const errorRows = (): string =>
  Object.entries(ERRORS)
    .map(
      ([code, { status, message }]) =>
        `<tr><td>${status}<td><a href="/docs/errors/${code}"><code>${code}</code></a><td>${escape(message)}`,
    )
    .join('')

const isCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text)

/** Serves documentation pages, which are made from the contract. The pages send no request to other services. */
export function registerDocs(app: FastifyInstance): void {
  registerViewer(app)
  app.get('/docs/errors', WITH_HEAD, (_request, reply) => {
    const body = `<p>Every error has the same form, and a <code>code</code> whose meaning never changes.</p>
<table>${errorRows()}</table><p><a href="/docs">All operations</a></p>`
    return guardPage(reply).send(page('Errors', body))
  })
  app.get<{ Params: { code: string } }>('/docs/errors/:code', WITH_HEAD, (request, reply) => {
    const { code } = request.params
    if (!isCode(code)) throw new ServiceError('NOT_FOUND')
    const { status, retry, message, nextStep } = ERRORS[code]
    const body = `<p>HTTP ${status}. ${escape(message)}</p>
<p><b>Why:</b> ${escape(ERROR_CAUSES[code])}</p><p><b>What to do:</b> ${escape(nextStep)}</p>
<p><code>retry</code>: ${retry}</p><p><a href="/docs">All operations</a> · <a href="/docs/errors">All errors</a></p>`
    return guardPage(reply).send(page(code, body))
  })
}
