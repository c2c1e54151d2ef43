import type { BalanceContext } from './balance-context.ts'
import { refusalOf } from '../transfer/transfer-context.ts'
import { BalancePayer } from './balance-payer.ts'
import { drawResidue } from './residue.ts'
import {
  ticketWithoutSecret,
  type BalanceRecord,
  type PaidPayment,
  type PaymentRequest,
} from './balance-state.ts'
import { BalanceError } from './errors.ts'
import { assertKey, assertPayable } from './pay.ts'
import { CLOSING, keyOfLine, keyOfOne, nameOf } from './payment-keys.ts'
import type { ListProgress, PaymentList } from './payment-list.ts'
import { readState, type BalanceState } from './read-state.ts'
import { assertOwnList, payFromSeveral } from './several-balances.ts'
import { unspentNote } from './unspent-note.ts'

/** A payment with its key. The balance makes at most one payment for each key. */
export interface KeyedPayment extends PaymentRequest {
  /** The caller's own name for this payment, such as an invoice number. */
  readonly key: string
}

export interface CloseOptions {
  /**
   * Base units that stay in the pool. By default `drawResidue` draws them at random. With 0n, the whole rest returns
   * to the wallet. In that case anyone can find the payments of this balance, because these payments add up exactly
   * to the difference between the top-up and the rest.
   */
  readonly kept?: bigint | undefined
}

/** Money inside the pool, from which its owner makes payments. A balance makes its payments one at a time. */
export class Balance {
  readonly #context: BalanceContext
  readonly #record: BalanceRecord
  readonly #payer: BalancePayer

  /** Don't call the constructor. Use `openBalance` or `restoreBalance`. */
  constructor(context: BalanceContext, record: BalanceRecord) {
    this.#context = context
    this.#record = record
    this.#payer = new BalancePayer(context, record)
  }

  /**
   * The newest ticket. Anyone who has it can spend the balance without the service. An earlier ticket also works, if
   * the node still has the transactions of the later payments.
   */
  get ticket(): string {
    const { ticket } = this.#record.state
    if (ticket !== null) return ticket
    throw new BalanceError('NOT_OPENED', 'this balance has no ticket yet')
  }

  /** Completes a payment that an earlier process signed. */
  resume(): Promise<void> {
    return this.#payer.inTurn(() => this.#payer.settleOthers(undefined))
  }

  /**
   * Makes one payment for each key. Repeated calls with the same key never pay again, even if a process crashes
   * during a call.
   *
   * @returns the payment, once your own node shows it at a finalized slot.
   * @throws BalanceError, PaymentRefusedError, and the errors of the service and the node. After an error, call the
   *   method again with the same key.
   */
  send({ key, ...request }: KeyedPayment): Promise<PaidPayment> {
    return this.#payer.inTurn(() => {
      assertKey(key)
      return this.#payer.pay(keyOfOne(key), request)
    })
  }

  /**
   * Pays the lines of a list in order, each line exactly once. After an error or a crash, call the method again with
   * the same id and lines: it reports the lines that are already paid, and doesn't pay them again.
   *
   * @throws the errors of `send`, at the first line that can't be paid. BalanceError KEY_REUSED before any payment if
   *   a line has changed; BALANCE_MISSING if other balances may have paid lines of the list.
   */
  sendAll(
    { id, lines }: PaymentList,
    onPaid: (progress: ListProgress) => void = () => undefined,
  ): Promise<PaidPayment[]> {
    return this.#payer.inTurn(async () => {
      assertKey(id)
      assertOwnList(this.#payer, id)
      for (const [line, request] of lines.entries()) {
        assertPayable(this.#record, keyOfLine(id, line), request)
      }
      const all: PaidPayment[] = []
      for (const [line, request] of lines.entries()) {
        const paid = await this.#payer.pay(keyOfLine(id, line), request)
        all.push(paid)
        onPaid({ line, paid })
      }
      return all
    })
  }

  /**
   * Pays a list from several balances of one asset at the same time. Each line is paid exactly once, from one balance
   * that has enough left. The lines may be paid in any order. After an error or a crash, call the method again with
   * the same id and lines, and with at least the same balances: it reports the lines that are already paid, and
   * doesn't pay them again. A repeated call may add balances, and append lines. To continue a list that `sendAll`
   * began, include the balance of that call.
   *
   * @returns the payments in the order of the lines, once all payments are made.
   * @throws the errors of `sendAll`, after the payments that are in progress have ended. BalanceError
   *   BALANCES_TOO_SMALL before any new payment, if no single balance has enough left for a line. RangeError for
   *   balances that can't share a list.
   */
  static sendAllFrom(
    balances: readonly Balance[],
    list: PaymentList,
    onPaid: (progress: ListProgress) => void = () => undefined,
  ): Promise<PaidPayment[]> {
    return payFromSeveral(
      balances.map((balance) => balance.#payer),
      list,
      onPaid,
    )
  }

  /**
   * Drops every payment by `send` or `close` that was quoted but not signed, as if the caller had never requested it.
   * Payments for lines of lists are kept.
   */
  dropUnsigned(): Promise<void> {
    return this.#payer.inTurn(async () => {
      for (const [key, { step }] of Object.entries(this.#record.state.payments)) {
        if (step === 'quoted' && nameOf(key).kind !== 'line')
          await this.#record.savePayment(key, undefined)
      }
    })
  }

  /** The balance's current state, as your own node shows it at a finalized slot. */
  state(): Promise<BalanceState> {
    return this.#payer.inTurn(() => readState(this.#context, this.#record))
  }

  /**
   * Closes the balance: pays the rest to the wallet now, less the fees of this payment. A random part of the rest, up
   * to a thousandth of the top-up, stays in the pool (docs/balances.md, "What others see"). If you don't call
   * `close`, the whole rest returns to the wallet free of charge when the balance ends.
   */
  close({ kept }: CloseOptions = {}): Promise<PaidPayment> {
    return this.#payer.inTurn(async () => {
      await this.#payer.settleOthers(undefined)
      const former = this.#record.state.payments[CLOSING]
      if (former?.step === 'paid') return former.paid
      const { ticket } = await unspentNote(this.#context, this.#record)
      const { note } = ticket
      // A payment that is only quoted isn't signed yet, so another one may replace it. It is continued only if it pays
      // out the note that is there now.
      const isForNote = former?.step === 'quoted' && former.balance === ticketWithoutSecret(ticket)
      if (isForNote && kept === undefined) return this.#payer.pay(CLOSING, former.request)
      if (former !== undefined) await this.#record.savePayment(CLOSING, undefined)
      const { paidIn = `${note.value}` } = this.#record.state
      const pay = (residue: bigint) =>
        this.#payer.pay(CLOSING, {
          to: note.sender,
          amount: `${note.value - residue}`,
          ...{ mode: 'exact_in', isLast: true },
        })
      try {
        return await pay(kept ?? drawResidue(BigInt(paidIn), note.value))
      } catch (error) {
        // If the rest covers barely more than the smallest payment, no residue can stay in the pool.
        const isTooSmall = refusalOf(error)?.code === 'AMOUNT_OUT_OF_RANGE' && kept === undefined
        if (!isTooSmall) throw error
        return pay(0n)
      }
    })
  }
}
