import { nullifierOf } from '@sotto/protocol'
import { isTopUpEpoch } from '../../packages/server/src/domain/epoch.ts'
import { decodePlan } from '../../packages/server/src/domain/order-secrets.ts'
import { balanceTicket, decodePayment } from '../../packages/server/src/domain/payment-terms.ts'
import { isFinal, type OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import { quickHash } from '../chain/quick-hash.ts'
import { isPaymentOf, settlementsOf, spentNotes, type KnownBalance } from '../chain/spent-notes.ts'
import type { Landed } from '../chain/transaction.ts'
import { unsealed } from '../run/keystore.ts'
import { KEPT_EPOCHS } from '../../packages/server/src/settlement/upkeep/reseal-stragglers.ts'
import {
  epochOf,
  statusOf,
  type MemoryOrder,
  type MemoryPayment,
} from '../store/memory-database.ts'
import type { Evidence } from './evidence.ts'
import type { Fail } from './verdict.ts'

/** Checks balances and their payments against the terms that their owners signed and against the finalized chain. */
export class BalanceWatch {
  readonly #evidence: Evidence
  readonly #onEnd: (key: string) => void
  readonly #known = new Map<string, OrderStatus>()
  /** The note that each payment spends. */
  readonly #nullifiers = new Map<string, bigint>()
  /** The epoch of the key that seals each balance. */
  readonly #epochs = new Map<string, number>()
  /** For each balance: the sealed plan at the watch's last read, and the balance's number of payments at that time. */
  readonly #plans = new Map<string, { readonly sealed: Uint8Array; readonly paid: number }>()

  /** `onEnd` is called with each payment that becomes final. */
  constructor(evidence: Evidence, onEnd: (key: string) => void) {
    this.#evidence = evidence
    this.#onEnd = onEnd
  }

  /** Checks all settlements of the balances' notes. */
  checkLanded(fail: Fail): void {
    for (const owner of this.#evidence.owners) this.#checkNotes(owner, fail)
  }

  /** Checks the rows that the last write changed. */
  checkWrite(fail: Fail): void {
    const { payments } = this.#evidence.memory.database
    if (payments.size > 0) {
      for (const [key, payment] of payments) this.#checkStatus(key, payment, fail)
      this.#checkRivals(fail)
    }
    for (const owner of this.#evidence.owners) this.#checkPlan(owner, fail)
  }

  /**
   * Invariants I2, I3 and I5: each note is spent once. A payment matches terms that the owner signed. A refund pays the
   * whole note to the sender. Payments land before the note's expiry, refunds after it.
   */
  #checkNotes(owner: KnownBalance, fail: Fail): void {
    const { ledger } = this.#evidence.chain
    for (const { note, nullifier, spentBy } of spentNotes(ledger, owner, Infinity)) {
      if (spentBy === undefined) continue
      if (settlementsOf(ledger, nullifier, Infinity).length > 1) {
        fail('I2: no note is settled twice', 'balance')
      }
      const { message } = spentBy.transaction
      if (message.kind !== 'settle') continue
      const { isRefund, payee, payout } = message.settlement
      if (isRefund !== spentBy.unixSeconds > note.expiry) {
        fail('I5: payments land until the expiry, refunds after it', 'balance')
      }
      const isRight = isRefund
        ? payee === note.sender && payout === note.value
        : owner.signed.some((one) => isPaymentOf(spentBy, one))
      if (!isRight) fail('I3: a balance pays only what its owner signed', payee)
      this.#checkExpired(owner, spentBy, fail)
    }
  }

  /**
   * A payment that the service declared expired must not land. There is one exception: the service received no
   * signature for the payment, and the sender's wallet paid the fees of an equal settlement. Then the owner made that
   * settlement without the service.
   */
  #checkExpired(owner: KnownBalance, landed: Landed, fail: Fail): void {
    const { payments } = this.#evidence.memory.database
    for (const one of owner.signed) {
      const row = one.payer === 'service' ? payments.get(one.key ?? '') : undefined
      if (row === undefined || statusOf(row) !== 'expired' || !isPaymentOf(landed, one)) continue
      const isOwn = landed.transaction.feePayer === owner.order?.note.sender
      if (row.sealedPlan !== undefined || !isOwn) {
        fail('an expired payment never lands', one.key ?? '')
      }
    }
  }

  #checkStatus(key: string, payment: MemoryPayment, fail: Fail): void {
    const before = this.#known.get(key) ?? 'awaiting_signature'
    const after = statusOf(payment)
    if (before === after) return
    const { trace, timeline, chain, owners } = this.#evidence
    this.#known.set(key, after)
    trace.add(timeline.nowMs, `payment ${key.slice(0, 6)}`, after)
    if (isFinal(before) || after === 'awaiting_signature') {
      fail('a status never goes back', `payment ${before} then ${after}`)
    }
    if (isFinal(after)) this.#onEnd(key)
    const { position, unixSeconds } = chain.blockAt('finalized')
    const landedUntil = (until: number) =>
      owners.some((owner) =>
        owner.signed.some(
          (one) =>
            one.key === key &&
            settlementsOf(chain.ledger, one.nullifier, until).some((it) => isPaymentOf(it, one)),
        ),
      )
    if (after === 'delivered' && !landedUntil(position)) {
      fail('a payment is delivered only if it landed', key)
    }
    if (after !== 'expired') return
    // If the service received no signature, a settlement that equals the payment may be on the chain: the owner may
    // have made it without the service.
    const isSigned = payment.sealedPlan !== undefined
    if (isSigned && landedUntil(Infinity)) fail('a payment expires only if it did not land', key)
    if (unixSeconds <= payment.validUntil) fail('a payment expires only after its end', key)
  }

  /**
   * Two payments that may still land must spend different notes and leave different changes. The chain's clock decides
   * whether a payment may still land, because the service's clock may go back.
   */
  #checkRivals(fail: Fail): void {
    const { memory, chain } = this.#evidence
    const { unixSeconds } = chain.blockAt('finalized')
    const live = new Set<bigint>()
    const changes = new Set<bigint>()
    for (const [key, payment] of memory.database.payments) {
      const isOver = isFinal(statusOf(payment)) || payment.validUntil < unixSeconds
      if (isOver || payment.sealedTerms.length === 0) continue
      const nullifier = this.#nullifierOf(key, payment)
      if (live.has(nullifier)) fail('each note has only one live payment', key)
      live.add(nullifier)
      const change = this.#changeOf(key, payment)
      if (change !== undefined && changes.has(change))
        fail('each change belongs to only one live payment', key)
      if (change !== undefined) changes.add(change)
    }
  }

  /** The leaf of a payment's change; undefined if the service hasn't accepted the payment's signature. */
  #changeOf(key: string, { sealedPlan }: MemoryPayment): bigint | undefined {
    if (sealedPlan === undefined) return undefined
    const signed = this.#evidence.owners.flatMap((owner) => owner.signed)
    return signed.find((one) => one.key === key)?.changeLeaf
  }

  #nullifierOf(key: string, { sealedTerms }: MemoryPayment): bigint {
    const known = this.#nullifiers.get(key)
    if (known !== undefined) return known
    const { ticket, leafIndex } = decodePayment(unsealed(sealedTerms))
    const nullifier = nullifierOf(quickHash, balanceTicket(ticket).note.nk, BigInt(leafIndex))
    this.#nullifiers.set(key, nullifier)
    return nullifier
  }

  /**
   * The note that the service stores for a balance must be on the finalized chain. An older note must never replace it.
   */
  #checkPlan(owner: KnownBalance, fail: Fail): void {
    const { memory, chain } = this.#evidence
    const key = owner.order?.key ?? ''
    const order = memory.database.orders.get(key)
    const sealed = order?.settlement?.sealedPlan ?? order?.sealedPlan
    if (sealed === undefined || sealed.length === 0) return
    const before = this.#plans.get(key)
    if (before?.sealed === sealed) return
    if (order !== undefined) this.#checkKey(key, order, owner, fail)
    const { note } = decodePlan(unsealed(sealed))
    const notes = spentNotes(chain.ledger, owner, chain.blockAt('finalized').position)
    const paid =
      note === undefined
        ? 0
        : notes.findIndex(
            (one) =>
              one.leafIndex === note.leafIndex &&
              one.note.nk === note.nk &&
              one.note.value === note.value &&
              one.note.deadline === note.deadline &&
              one.note.expiry === note.expiry,
          )
    this.#plans.set(key, { sealed, paid })
    if (paid < 0) fail('the stored note of a balance is on the chain', key)
    if (paid < (before?.paid ?? 0)) fail('a balance never goes back to an older note', key)
    this.#checkKept(owner, paid, fail)
  }

  /**
   * A balance must not delay the destruction of keys that seal transfers. While a balance is open, the service must
   * keep each of its keys for at least a month. With a backup of at most that age, the service can still return the
   * balance's rest.
   */
  #checkKey(key: string, order: MemoryOrder, owner: KnownBalance, fail: Fail): void {
    const before = this.#epochs.get(key) ?? order.epoch
    const after = epochOf(order)
    this.#epochs.set(key, after)
    if (!isTopUpEpoch(after)) fail('a balance is not sealed under a key of transfers', key)
    if (before === after) return
    const { chain, trace, timeline } = this.#evidence
    trace.add(timeline.nowMs, `order ${key.slice(0, 6)}`, 'resealed')
    const { position, unixSeconds } = chain.blockAt('finalized')
    const end = spentNotes(chain.ledger, owner, position).at(-1)?.note.expiry ?? order.expiry
    if (end >= unixSeconds && after - before < KEPT_EPOCHS) {
      fail('an open balance keeps its key for a month', key)
    }
  }

  /** If the finalized chain shows that a payment has spent a note, the service must not begin a refund of the note. */
  #checkKept(owner: KnownBalance, paid: number, fail: Fail): void {
    const { memory, chain } = this.#evidence
    const order = memory.database.orders.get(owner.order?.key ?? '')
    if (order === undefined || statusOf(order) !== 'refunding') return
    const notes = spentNotes(chain.ledger, owner, chain.blockAt('finalized').position)
    const message = notes[paid]?.spentBy?.transaction.message
    const isSpent = message?.kind === 'settle' && !message.settlement.isRefund
    if (isSpent) fail('a spent balance is not refunded', owner.order?.key ?? '')
  }
}
