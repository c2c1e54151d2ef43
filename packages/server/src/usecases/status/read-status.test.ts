import { amount, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { OrderStatus } from '../../domain/order-state.ts'
import { encodeTrackingId } from '../../domain/tracking-id.ts'
import type { OrderStore, StoredOrder } from '../../ports/order-store.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { readStatus } from './read-status.ts'

const ID = new Uint8Array(16).fill(7)
const NO_BYTES = new Uint8Array(0)

const stored = (status: OrderStatus): StoredOrder => ({
  ...{ id: ID, accountId: 'acme', quoteNonce: ID, idempotencyKey: undefined, status },
  ...{ fingerprint: NO_BYTES, epoch: 500_000, reference: 'payroll', partnerAccount: undefined },
  ...{ sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT, sender: NATIVE_MINT },
  ...{ amountIn: amount(9n), value: amount(9n), amountOut: amount(8n), partnerFee: amount(0n) },
  ...{
    deadline: unixSeconds(1_800n),
    validUntil: unixSeconds(1_800n),
    expiry: unixSeconds(9_000n),
  },
  ...{ inner: 1n, leaf: 2n, payload: NO_BYTES },
  ...{ lastValidBlockHeight: 5n, sealedTerms: NO_BYTES, createdAtMs: 1, updatedAtMs: 1 },
  ...{ isDepositSeen: false, deposit: undefined, sealedPlan: undefined, sealedOutcome: undefined },
})

/** The status of an order whose key file was damaged on disk. */
function statusBesideDamage(status: OrderStatus) {
  const orders = { readOrder: async () => ({ order: stored(status), followed: undefined }) }
  const read = async () => Promise.reject(new Error('the key file is damaged'))
  const d = {
    orders: orders as unknown as OrderStore,
    secrets: { read } as unknown as Secrets,
    clock: { nowMs: () => 1, sleep: async () => undefined },
    arrivalSeconds: () => 60,
  }
  return readStatus(d, 'acme', encodeTrackingId(ID))
}

it('an unpaid order shows its status even if its key is damaged', async () => {
  const { order } = await statusBesideDamage('awaiting_deposit')
  expect(order).toMatchObject({ status: 'awaiting_deposit', nextAction: 'sign', eta: 0 })
  const { order: expired } = await statusBesideDamage('expired')
  expect(expired).toMatchObject({ status: 'expired', final: true, nextAction: 'none' })
})

it('an order with a deposit shows no status if its key is damaged', async () => {
  await expect(statusBesideDamage('deposited')).rejects.toThrow('damaged')
})
