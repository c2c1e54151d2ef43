import { amount, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import {
  encodePlan,
  encodeTerms,
  type DeliveryPlan,
  type SealedTerms,
} from '../../domain/order-secrets.ts'
import type { OrderStatus } from '../../domain/order-state.ts'
import type { StoredOrder } from '../../ports/order-store.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import { renderStatus } from './render-status.ts'

const ID = new Uint8Array(16).fill(7)
const NO_BYTES = new Uint8Array(0)
const EXPIRY = 9_000n
const NOW_MS = 9_600_000
/** Seconds that a settlement takes once it has begun. */
const SETTLING = 10

/** Test secrets that encrypt nothing. */
const secrets = {
  open: (_id: Uint8Array, _label: string, sealed: Uint8Array) => sealed,
} as unknown as EpochSecrets

/** The expected seconds of an order with this plan, ten minutes after its expiry. */
function etaOf(status: OrderStatus, plan: DeliveryPlan, more: Partial<SealedTerms> = {}): number {
  const terms = { recipient: NATIVE_MINT, accountExisted: true, ...more }
  const order: StoredOrder = {
    ...{ id: ID, accountId: 'acme', quoteNonce: ID, idempotencyKey: undefined, status },
    ...{ fingerprint: NO_BYTES, epoch: 500_000, reference: undefined, partnerAccount: undefined },
    ...{ sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT, sender: NATIVE_MINT },
    ...{ amountIn: amount(9n), value: amount(9n), amountOut: amount(8n), partnerFee: amount(0n) },
    ...{ deadline: unixSeconds(1_800n), validUntil: unixSeconds(1_800n) },
    ...{ expiry: unixSeconds(EXPIRY), inner: 1n, leaf: 2n, payload: NO_BYTES },
    ...{ lastValidBlockHeight: 5n, createdAtMs: 1, updatedAtMs: 1, isDepositSeen: true },
    ...{ deposit: undefined, sealedOutcome: undefined, sealedPlan: encodePlan(plan) },
    sealedTerms: encodeTerms({ minDelaySeconds: 5, maxDelaySeconds: 60, ...terms }),
  }
  return renderStatus(order, undefined, secrets, NOW_MS, () => 60).eta
}

it('the expected time ends with the next attempt if a refund was tried', () => {
  const next = { deliverAtMs: NOW_MS + 240_000, reason: 'not_delivered_in_time' } as const
  expect(etaOf('deposited', { ...next, isRefundTried: true })).toBe(240 + SETTLING)
  expect(etaOf('refunding', next)).toBe(240 + SETTLING)
  // An order that can't be delivered waits for its expiry, which has passed.
  expect(etaOf('deposited', next)).toBe(SETTLING)
})

it('a balance has an expected time of 0', () => {
  const next = { deliverAtMs: NOW_MS + 240_000, isRefundTried: true } as const
  expect(etaOf('deposited', next, { owner: '00' })).toBe(0)
})
