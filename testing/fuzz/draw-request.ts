import fc, { type Arbitrary } from 'fast-check'
import type { DocumentedOperation, ReadDocument } from '../openapi/read-document.ts'
import { brokenEnvelope, brokenKey } from './break-envelope.ts'
import { brokenText } from './break-text.ts'
import { brokenValue, odd } from './break-value.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import type { Memory } from './memory.ts'
import { sequel } from './sequences.ts'
import type { FuzzTarget } from './target.ts'
import { valueOfSchema } from './value-of-schema.ts'
import { requestOf, wholeRequest } from './whole-request.ts'

/** Generates the run's next request. */
export function anyRequest(
  document: ReadDocument,
  target: FuzzTarget,
  memory: Memory,
): Arbitrary<FuzzRequest> {
  const { operations } = document
  const find = (id: string) => operations.find((one) => one.id === id)!
  const anyOperation = fc.constantFrom(...operations)
  const whole = anyOperation.chain((operation) => wholeRequest(target, memory, operation))
  const sequels = sequel(target, memory, find)
  return fc.oneof(
    { weight: 40, arbitrary: whole },
    // Many requests are for quotes: orders need quotes, and the service refuses most requests if there are no orders.
    { weight: 8, arbitrary: wholeRequest(target, memory, find('quoteTransfer')) },
    { weight: 8, arbitrary: anyOperation.chain((one) => wellFormed(target, one)) },
    { weight: 16, arbitrary: whole.chain((request) => withBrokenBody(request)) },
    { weight: 8, arbitrary: anyOperation.chain((one) => withOddParameters(target, one)) },
    { weight: 10, arbitrary: whole.chain(brokenEnvelope).map(unsound('envelope')) },
    { weight: 8, arbitrary: whole.chain((request) => withBadKey(request, target)) },
    ...(sequels.length === 0 ? [] : [{ weight: 18, arbitrary: fc.oneof(...sequels) }]),
  )
}

const unsound =
  (kind: string) =>
  ({ sent: _, ...request }: FuzzRequest): FuzzRequest => {
    // The run doesn't remember a changed request, because the service may create something different from what the run
    // would record.
    return { ...request, kind, isMeantToSucceed: false }
  }

/** Any request that the document allows. The request uses no earlier answers of the service. */
function wellFormed(target: FuzzTarget, operation: DocumentedOperation): Arbitrary<FuzzRequest> {
  const { bodySchema } = operation
  const body = bodySchema === undefined ? fc.constant(undefined) : valueOfSchema(bodySchema)
  return fc.tuple(body, fc.string()).map(([drawn, text]) =>
    requestOf(target, operation, {
      kind: 'by the schema alone',
      isMeantToSucceed: false,
      body: drawn,
      path: { trackingId: text },
    }),
  )
}

function withBrokenBody(request: FuzzRequest): Arbitrary<FuzzRequest> {
  const text = Buffer.from(request.body ?? '{}').toString()
  const headers = [
    ...request.headers.filter(([name]) => name !== 'content-type'),
    ['content-type', 'application/json'] as const,
  ]
  const value = brokenValue(JSON.parse(text) as object)
  const twice = value.chain((one) =>
    typeof one === 'object' && one !== null ? brokenValue(one) : fc.constant(one),
  )
  const written = fc.oneof(value, value, twice).map((one) => Buffer.from(JSON.stringify(one)))
  return fc
    .oneof({ weight: 3, arbitrary: written }, { weight: 2, arbitrary: brokenText(text) })
    .map((body) => unsound('body')({ ...request, headers, body }))
}

/** Path and query with any content, including well-formed ids and cursors. */
function withOddParameters(
  target: FuzzTarget,
  operation: DocumentedOperation,
): Arbitrary<FuzzRequest> {
  const id = (prefix: string, size: number) =>
    fc
      .uint8Array({ minLength: size, maxLength: size })
      .map((bytes) => prefix + Buffer.from(bytes).toString('base64url'))
  const value = fc.oneof(id('tr_', 16), id('', 24), odd.map(inText))
  return fc.tuple(value, value).map(([first, second]) => {
    const query = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
    return requestOf(target, operation, {
      kind: 'parameters',
      isMeantToSucceed: false,
      path: { trackingId: first },
      query: Object.fromEntries(
        query.map((name) => [name, name === 'limit' ? '1' : Buffer.from(second).toString()]),
      ),
      ...(operation.bodySchema === undefined ? {} : { body: { trackingId: first } }),
    })
  })
}

/**
 * Breaks the key of any request, even of a request with another error. A request without a valid key must get status
 * 401, unless the HTTP parser refuses it.
 *
 * The key must be broken last, because the target may contain a bad key. A later change of the target could remove the
 * bad key, and the valid key in the header would remain.
 */
function withBadKey(request: FuzzRequest, target: FuzzTarget): Arbitrary<FuzzRequest> {
  return fc
    .oneof(fc.constant(request), brokenEnvelope(request))
    .chain((one) => brokenKey(one, target.keys.own, target.badKeys))
    .map(unsound('key'))
}

/** Any value as text. `String(value)` would fail for some drawn objects. */
const inText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)
