import { randomBytes } from 'node:crypto'
import type { NewPayment, SignedColumns } from '../../src/ports/order-store.ts'
import { DEADLINE, SEALED } from './chain-of-steps.ts'
import { ACCOUNT, drawId, EPOCHS, NOW_MS } from './open-stores.ts'

export const PLAN = new Uint8Array([9, 9])
export const SIGNED = { sealedTerms: new Uint8Array([7]), sealedPlan: PLAN }

export const drawName = (): Uint8Array => new Uint8Array(randomBytes(32))

/**
 * The columns of a payment's signature, as the use case stores them. By default, no other payment has the same change.
 */
export const newSignature = (
  changeNames: readonly Uint8Array[] = [drawName(), drawName()],
): SignedColumns => ({ ...SIGNED, changeNames })

/** A payment as the use case stores it, with the test's changes. */
export function newPayment(changes: Partial<NewPayment> = {}): NewPayment {
  return {
    ...{ id: drawId(), accountId: ACCOUNT, quoteNonce: drawId(), idempotencyKey: undefined },
    ...{ fingerprint: new Uint8Array(64), epoch: EPOCHS[0], reference: undefined },
    ...{ validUntil: DEADLINE, sealedTerms: SEALED, sealedResponse: new Uint8Array([4]) },
    ...{ createdAtMs: NOW_MS, reservations: [drawName(), drawName()], ...changes },
  }
}
