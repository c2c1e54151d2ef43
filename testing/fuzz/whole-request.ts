import fc, { type Arbitrary } from 'fast-check'
import type { DocumentedOperation } from '../openapi/read-document.ts'
import type { FuzzRequest, Promised, Sender } from './fuzz-request.ts'
import { consistent, knownValues } from './known-values.ts'
import type { Memory, Members, Sent } from './memory.ts'
import type { FuzzTarget } from './target.ts'
import { valueOfSchema, type KnownValues } from './value-of-schema.ts'

/** The parts of a request that depend on the operation. */
export interface Parts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly key?: string | undefined
  readonly sender?: Exclude<Sender, 'none'>
  readonly sent?: Sent
  readonly kind?: string
  readonly isMeantToSucceed?: boolean
  readonly promised?: Promised
}

/** A well-formed request for an operation. */
export function requestOf(
  target: FuzzTarget,
  operation: DocumentedOperation,
  parts: Parts,
): FuzzRequest {
  const { path = {}, query = {}, body, key, sender = 'own' } = parts
  const filled = operation.path.replaceAll(/\{([A-Za-z]+)\}/g, (_all, name: string) => {
    return encodeURIComponent(Buffer.from(path[name] ?? '').toString())
  })
  const search = new URLSearchParams(query).toString()
  const headers: [string, string][] = [['authorization', `Bearer ${target.keys[sender]}`]]
  if (body !== undefined) headers.push(['content-type', 'application/json'])
  if (key !== undefined) headers.push(['x-idempotency-key', key])
  return {
    kind: parts.kind ?? 'whole',
    method: operation.method,
    target: search === '' ? filled : `${filled}?${search}`,
    headers,
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    sender,
    isMeantToSucceed: parts.isMeantToSucceed ?? true,
    promised: parts.promised ?? { kind: 'anything' },
    ...(parts.sent === undefined ? {} : { sent: parts.sent }),
  }
}

/** A value for every documented parameter in one place of the request, as the schemas allow. */
function valuesIn(
  { parameters }: DocumentedOperation,
  place: 'path' | 'query' | 'header',
  known: KnownValues,
): Arbitrary<Record<string, string>> {
  const found = parameters.filter((one) => one.in === place)
  const values = found.map(({ name, schema }) => [name, known[name] ?? valueOfSchema(schema)])
  return fc.record(Object.fromEntries(values) as Record<string, Arbitrary<string>>, {
    requiredKeys: place === 'path' ? found.map(({ name }) => name) : [],
    noNullPrototype: true,
  })
}

/** A request that should succeed, made from the run's data. */
export function wholeRequest(
  target: FuzzTarget,
  memory: Memory,
  operation: DocumentedOperation,
): Arbitrary<FuzzRequest> {
  const { quotes, orders, cursors, webhooks } = memory
  const known: KnownValues = {
    ...knownValues(target),
    ...(orders.length === 0
      ? {}
      : { trackingId: fc.constantFrom(...orders.map(({ trackingId }) => trackingId)) }),
    ...(webhooks.length === 0 ? {} : { webhookId: fc.constantFrom(...webhooks) }),
    cursor: cursors.length === 0 ? fc.constant(undefined) : fc.constantFrom(...cursors),
  }
  const { bodySchema, isBodyRequired } = operation
  const isOrder = operation.id === 'createOrder'
  // The service accepts only quotes that it made. If the run has none, a random quote is sent, which the service
  // refuses.
  const body: Arbitrary<unknown> =
    bodySchema === undefined
      ? fc.constant(undefined)
      : isOrder && quotes.length > 0
        ? fc
            .tuple(fc.constantFrom(...quotes), fc.constantFrom({}, { reference: 'fuzz 1' }))
            .map(([quote, more]) => ({ ...quote, ...more }))
        : valueOfSchema(bodySchema, known)
  return fc
    .record({
      path: valuesIn(operation, 'path', known),
      query: valuesIn(operation, 'query', known),
      headers: valuesIn(operation, 'header', known),
      body: isBodyRequired || bodySchema === undefined ? body : fc.option(body, { nil: undefined }),
    })
    .map(({ path, query, headers, body: drawn }) => {
      const isQuote = operation.id === 'quoteTransfer'
      const sentBody = (isQuote ? consistent(drawn as Members) : drawn) as Members
      const key = headers['X-Idempotency-Key']
      const defined = Object.entries(query).filter(([, value]) => value !== undefined)
      const sent: Sent | undefined = isQuote
        ? { kind: 'quote', body: sentBody }
        : isOrder
          ? { kind: 'order', body: sentBody, key }
          : undefined
      return requestOf(target, operation, {
        path,
        query: Object.fromEntries(defined),
        body: sentBody,
        key,
        // No run has a balance, so payments can't succeed.
        isMeantToSucceed: !['createPayment', 'signPayment'].includes(operation.id),
        ...(sent === undefined ? {} : { sent }),
      })
    })
}
