import { amount, ownerOf, packOwner, unixSeconds } from '@sotto/protocol'
import { sqlOrderStore } from '../../../src/adapters/store/order-store.ts'
import type { Database } from '../../../src/adapters/store/sql.ts'
import { topUpEpochOf } from '../../../src/domain/epoch.ts'
import { hexOf } from '../../../src/domain/hex.ts'
import { decodeTerms, encodeTerms } from '../../../src/domain/order-secrets.ts'
import type { PaidFrom } from '../../../src/ports/settlement-store.ts'
import type { NoteOpener } from '../../../src/settlement/notes/open-note.ts'
import type { OpenedOrder } from '../../../src/settlement/notes/opened-order.ts'
import { paidFrom } from '../../../src/settlement/notes/paid-from.ts'
import { newPayment, newSignature } from '../new-payment.ts'
import { EPOCH, NOW_MS, type Life } from './life.ts'

export const TOP_UPS = topUpEpochOf(EPOCH)

/** Makes the order of an open balance, and returns its id. */
export async function openBalance(life: Life, database: Database): Promise<Uint8Array> {
  const { order } = await life.deposit('acme', TOP_UPS)
  const keys = (await life.secrets.read(TOP_UPS))!
  const terms = decodeTerms(keys.open(order.id, 'terms', order.sealedTerms))
  const owner = hexOf(packOwner(ownerOf(77n)))
  const sealed = keys.seal(order.id, 'terms', encodeTerms({ ...terms, owner }))
  await database.query('UPDATE orders SET sealed_terms = $2 WHERE id = $1', [order.id, sealed])
  return order.id
}

/** Opens the balance as a worker would now. Returns undefined if its key doesn't open it. */
export async function openedBalance(
  life: Life,
  opener: NoteOpener,
  orderId: Uint8Array,
): Promise<OpenedOrder | undefined> {
  const [one] = await opener.openAll(await life.store.listOpen([orderId]))
  return one
}

/** Makes a payment whose change is in the tree, in the form in which a worker handles it. */
export async function landPayment(
  life: Life,
  database: Database,
  opener: NoteOpener,
  balanceId: Uint8Array,
  changeNk: bigint,
) {
  const orders = sqlOrderStore(database, life.secrets)
  await life.secrets.forNewOrder(EPOCH)
  const row = newPayment({ accountId: 'acme', epoch: EPOCH, createdAtMs: NOW_MS })
  await orders.tryCreatePayment(row, 1_000)
  await orders.trySign(row.id, newSignature(), NOW_MS)
  await life.appendUnknown()
  const [changeLeaf] = (await life.store.readLeaves(0)).slice(-1)
  const { note, nullifier } = (await openedBalance(life, opener, balanceId))!
  const amounts = { payout: amount(1_000n), fee: amount(0n) }
  const validUntil = unixSeconds(note.deadline + 40n * 86_400n)
  const payment = { ...amounts, changeNk, validUntil }
  const handled = { note, nullifier, payment, changeLeaf, balanceId } as unknown as OpenedOrder
  const store = { ...life.store }
  return {
    read: async () => (await paidFrom({ store, opener }, handled)) as PaidFrom,
    complete: (from: PaidFrom) => {
      const end = {
        orderId: row.id,
        epoch: EPOCH,
        to: 'delivered',
        sealedOutcome: undefined,
      } as const
      const landed = { ...end, attempt: undefined, isLandedPayment: true }
      return store.tryComplete({ ...landed, paidFrom: from }, NOW_MS)
    },
  }
}
