import type { DocumentedOperation, ReadDocument } from '../openapi/read-document.ts'
import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts'

const PREFIX = '/transfer/v1'
/** Allowed statuses for a request that calls no operation, with the error codes of each status. */
const UNROUTED = new Map([
  [400, ['INVALID_REQUEST']],
  [401, ['UNAUTHORIZED']],
  [404, ['NOT_FOUND', 'ORDER_NOT_FOUND']],
  [405, ['METHOD_NOT_ALLOWED']],
  [413, ['PAYLOAD_TOO_LARGE']],
])
/** Statuses with which the HTTP parser refuses a request. The service doesn't authenticate these requests. */
const NOT_HTTP = [400, 413]

export interface CheckContext {
  readonly document: ReadDocument
  /** Addresses and keys. No error response may contain them. */
  readonly secrets: readonly string[]
}

/** The path exactly as in the request line. If the target is an absolute URL, its origin is left out. */
const writtenPath = (target: string): string =>
  target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? ''

/** The path as a router decodes it. */
function pathOf(target: string): string {
  const path = writtenPath(target)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The operation that the request line calls; undefined if there is none. */
export function operationOf(
  { operations }: ReadDocument,
  { method, target }: Pick<FuzzRequest, 'method' | 'target'>,
): DocumentedOperation | undefined {
  const path = writtenPath(target)
  return operations.find((one) => {
    const pattern = new RegExp(`^${one.path.replaceAll(/\{[A-Za-z]+\}/g, '[^/]*')}$`)
    return one.method === method && (pattern.test(path) || pattern.test(pathOf(target)))
  })
}

/**
 * Lists the problems of an answer, such as differences from the OpenAPI document. Empty if the answer has no problem.
 */
export function checkAnswer(
  context: CheckContext,
  request: FuzzRequest,
  answer: FuzzAnswer | undefined,
): string[] {
  if (answer === undefined) {
    return request.isCutShort === true ? [] : ['the connection was ended without an answer']
  }
  const body = request.method === 'HEAD' ? undefined : parseBody(answer.text)
  return [
    ...statusComplaints(context, request, answer, body),
    ...headerComplaints(request, answer, body),
    ...authComplaints(request, answer),
    ...promiseComplaints(request, answer),
    ...leaks(context, answer),
  ]
}

type Body = Readonly<Record<string, unknown>> | undefined

function parseBody(text: string): Body {
  try {
    return JSON.parse(text) as Body
  } catch {
    return undefined
  }
}

function statusComplaints(
  { document }: CheckContext,
  request: FuzzRequest,
  { status }: FuzzAnswer,
  body: Body,
): string[] {
  const operation = operationOf(document, request)
  const isHead = request.method === 'HEAD'
  if (operation === undefined) {
    const codes = UNROUTED.get(status)
    if (codes === undefined) return [`${status} for a request that calls no operation`]
    if (isHead) return []
    const { validateError } = document
    if (!validateError(body))
      return [`${status}: the body lacks the shape of errors: ${said(validateError.errors)}`]
    const code = String(body?.['code'])
    return codes.includes(code) ? [] : [`${code} for a request that calls no operation`]
  }
  const documented = operation.answers.get(status)
  if (documented === undefined) return [`${operation.id} documents no ${status}`]
  const complaints = status === 500 ? ['500'] : []
  if (!documented.validate(body)) {
    complaints.push(`${operation.id} ${status}: ${said(documented.validate.errors)}`)
  }
  return complaints
}

const said = (errors: unknown): string =>
  (Array.isArray(errors) ? errors : [])
    .map(({ instancePath, message }: { instancePath: string; message: string }) => {
      return `${instancePath} ${message}`
    })
    .join('; ')

function headerComplaints(request: FuzzRequest, answer: FuzzAnswer, body: Body): string[] {
  const { headers, status } = answer
  const id = headers.get('x-request-id')
  const type = headers.get('content-type') ?? ''
  const complaints: string[] = []
  if (id === undefined || id === '') complaints.push('no X-Request-Id')
  if (request.method !== 'HEAD' && !type.startsWith('application/json')) {
    complaints.push(`the content type is "${type}"`)
  }
  if (status === 200) return complaints
  if (body !== undefined && body['requestId'] !== id)
    complaints.push('requestId differs from X-Request-Id')
  if (body?.['retry'] === 'unchanged' && !headers.has('retry-after')) {
    complaints.push('no Retry-After')
  }
  if (status === 405 && !headers.has('allow')) complaints.push('no Allow')
  return complaints
}

/** Operations without a key. The OpenAPI document marks them with an empty `security`. */
const OPEN = new Set([`GET ${PREFIX}/leaves`])

/**
 * Checks that every request without a valid key gets status 401, and that no other request does. So an answer to a
 * request without a valid key doesn't even reveal whether the path exists.
 */
function authComplaints(request: FuzzRequest, { status }: FuzzAnswer): string[] {
  const { sender, method, target, isMalformed = false } = request
  const path = pathOf(target)
  if (OPEN.has(`${method} ${path}`)) return status === 401 ? ['401 for an open operation'] : []
  const isUnderPrefix = path === PREFIX || path.startsWith(`${PREFIX}/`)
  if (!isUnderPrefix || (isMalformed && NOT_HTTP.includes(status))) return []
  if (sender === 'none') return status === 401 ? [] : [`${status} without a valid key`]
  return status === 401 ? ['401 with a valid key'] : []
}

function promiseComplaints({ promised }: FuzzRequest, { status, text }: FuzzAnswer): string[] {
  switch (promised.kind) {
    case 'anything':
      return []
    case 'refusal':
      return status >= 400 ? [] : [`${status} for a request that must be refused`]
    case 'replay':
      return status === 200 && text === promised.text
        ? []
        : [`${status}, different from the first answer`]
  }
}

function leaks({ secrets }: CheckContext, { status, text }: FuzzAnswer): string[] {
  if (status === 200) return []
  return secrets.some((secret) => text.includes(secret))
    ? ['an error repeats an address or key']
    : []
}
