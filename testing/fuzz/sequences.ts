import fc, { type Arbitrary } from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import type { DocumentedOperation } from '../openapi/read-document.ts'
import { BALANCE_SECONDS_MAX } from '../../packages/server/src/domain/balance.ts'
import { brokenValue } from './break-value.ts'
import type { FuzzRequest, Promised } from './fuzz-request.ts'
import type { KnownOrder, Memory, Members } from './memory.ts'
import type { FuzzTarget } from './target.ts'
import { requestOf, type Parts } from './whole-request.ts'

const REFUSAL: Promised = { kind: 'refusal' }

type Find = (id: string) => DocumentedOperation

/** Requests that use earlier answers: replays, reused keys, altered quotes, other accounts' orders. */
export function sequel(target: FuzzTarget, memory: Memory, find: Find): Arbitrary<FuzzRequest>[] {
  const { quotes, orders } = memory
  const create = (parts: Parts) => requestOf(target, find('createOrder'), parts)
  const known = orders.length === 0 ? undefined : fc.constantFrom(...orders)
  const fresh = quotes.length === 0 ? undefined : fc.constantFrom(...quotes)
  return [
    ...(known === undefined ? [] : ofOrders(target, find, create, known)),
    ...(fresh === undefined ? [] : ofQuotes(create, fresh)),
    ...(fresh === undefined
      ? []
      : [fresh.map((body) => requestOf(target, find('createPayment'), asPayment(body)))]),
    ...(known === undefined || fresh === undefined
      ? []
      : [
          fc.tuple(known, fresh).map(([{ key, body }, other]) =>
            // An order that was made without an idempotency key has its quote's id as the key, and no request for
            // another quote may use this key. So such an order is only sent again.
            key === undefined
              ? create({ kind: 'replay', body, key })
              : create({ ...refused('key used again'), body: other, key }),
          ),
        ]),
  ]
}

const refused = (kind: string): Parts => ({ kind, isMeantToSucceed: false, promised: REFUSAL })

/** A quote of a transfer, sent as if it were a quote of a payment. */
const asPayment = ({ quote, senderAddress, recipientAddress }: Members): Parts => ({
  ...refused("a transfer's quote as a payment"),
  body: { quote, senderAddress, recipientAddress, balance: `sotto2_${'A'.repeat(276)}` },
})

function ofOrders(
  target: FuzzTarget,
  find: Find,
  create: (parts: Parts) => FuzzRequest,
  known: Arbitrary<KnownOrder>,
): Arbitrary<FuzzRequest>[] {
  const foreign = (id: string) =>
    known.map(({ trackingId }) => {
      const body = find(id).isBodyRequired ? { body: { trackingId } } : {}
      return requestOf(target, find(id), {
        ...refused("another account's order"),
        ...{ sender: 'other', path: { trackingId }, ...body },
      })
    })
  return [
    known.map(({ body, key, text }) =>
      create({ kind: 'replay', body: reversed(body), key, promised: { kind: 'replay', text } }),
    ),
    known.map(({ body, text }) =>
      create({ kind: 'replay', body, promised: { kind: 'replay', text } }),
    ),
    known.map(({ body }) =>
      create({ ...refused('quote used again'), body, key: 'a key never used before' }),
    ),
    known.map(({ body, key }) =>
      create({ ...refused("another account's quote"), body, key, sender: 'other' }),
    ),
    altered(
      known.map(({ body, key }) => ({ body, key })),
      create,
      'order altered',
    ),
    ...['readStatus', 'refreshTransaction', 'hintDeposit'].map(foreign),
    known.map(({ trackingId }) =>
      requestOf(target, find('refreshTransaction'), {
        ...refused('key without the scope'),
        ...{ sender: 'reader', path: { trackingId } },
      }),
    ),
  ]
}

function ofQuotes(create: (parts: Parts) => FuzzRequest, fresh: Arbitrary<Members>) {
  return [
    altered(
      fresh.map((body) => ({ body, key: undefined })),
      create,
      'quote altered',
    ),
    fresh.map((body) => create({ ...refused("another account's quote"), body, sender: 'other' })),
  ]
}

/** A request with a changed quote. The service must refuse it. Only a change of the `reference` is allowed. */
function altered(
  of: Arbitrary<{ body: Members; key: string | undefined }>,
  create: (parts: Parts) => FuzzRequest,
  kind: string,
): Arbitrary<FuzzRequest> {
  return of.chain(({ body, key }) =>
    brokenValue(body).map((changed) => {
      const written = JSON.parse(JSON.stringify(changed)) as Members
      const { reference: _, ...quoted } = written
      const { reference: __, ...before } = body
      const isSame = isDeepStrictEqual(withoutDefaults(quoted), withoutDefaults(before))
      return create({
        ...{ kind, body: changed, key, isMeantToSucceed: false },
        ...(isSame ? {} : { promised: REFUSAL }),
      })
    }),
  )
}

/**
 * Removes members that have the default value from a body: a share of zero, an automatic return, and the longest life
 * of a balance. To the service, these values and missing members are the same.
 */
function withoutDefaults(body: Members): Members {
  const { feeBps, feeRecipientAddress, autoReturn, balanceSeconds, ...rest } = body
  return {
    ...rest,
    ...(feeBps === undefined || feeBps === 0 ? {} : { feeBps, feeRecipientAddress }),
    ...(autoReturn === undefined || autoReturn === true ? {} : { autoReturn }),
    ...(balanceSeconds === undefined || balanceSeconds === BALANCE_SECONDS_MAX
      ? {}
      : { balanceSeconds }),
  }
}

/** The same members in reverse order. The order has no meaning in JSON. */
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, one]) => [name, reversed(one)]),
  )
}
