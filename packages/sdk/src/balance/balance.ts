import type { BalanceContext } from './balance-context.ts'
import { BalancePayer } from './balance-payer.ts'
import type { BalanceRecord, PaidPayment, PaymentRequest } from './balance-state.ts'
import { closeBalance } from './close-balance.ts'
import { BalanceError } from './errors.ts'
import { assertPayable } from './pay.ts'
import { assertListId, keyOfLine, nameIn, storedKeyOf } from './payment-keys.ts'
import type { ListProgress, PaymentList } from './payment-list.ts'
import { readState, type BalanceState } from './read-state.ts'
import { withoutChecked, type Checked } from './unrecorded.ts'
import { assertOwnList, payFromSeveral } from './several-balances.ts'

/** A payment with its key. The balance makes at most one payment for each key. */
export interface KeyedPayment extends PaymentRequest {
  /** The caller's own name for this payment, such as an invoice number. */
  readonly key: string
  /**
   * The signatures of unrecorded payments (`StoredBalance.unrecorded`) that a person has checked and found to be other
   * payments than this one. Any other unrecorded payment like this one makes `send` throw. Each entry stands for one
   * payment, so name a signature twice if two payments have it. `send` deletes these payments from the store only when
   * it signs.
   */
  readonly except?: readonly (string | null)[] | undefined
}

export interface CloseOptions {
  /**
   * Base units that stay in the pool. By default `drawResidue` draws them at random. With 0n, the whole rest returns to
   * the wallet. But then anyone can find the payments of this balance, because they add up exactly to the top-up minus
   * the returned rest. If the rest is hardly more than the smallest possible payment, the service may refuse any
   * smaller amount with AMOUNT_OUT_OF_RANGE: then only 0n closes the balance.
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

  /** Completes a payment that an earlier process signed. @throws the errors of `send`. */
  resume(): Promise<void> {
    return this.#payer.inTurn(() => this.#payer.settleOthers(undefined))
  }

  /**
   * Makes one payment for each key. Repeated calls with the same key never pay again, even if a process crashes
   * during a call.
   *
   * @returns the payment, once your own node shows it at a finalized slot.
   * @throws BalanceError, PaymentRefusedError, RangeError for a request that can't be a payment, and the errors of the
   *   service and the node. After an error, call the method again with the same key.
   */
  async send({ key, except, ...request }: KeyedPayment): Promise<PaidPayment> {
    const stored = storedKeyOf(key)
    return this.#payer.inTurn(() => this.#payer.pay(stored, request, except))
  }

  /**
   * Writes a mark for the payment with this key into the store. A caller with its own record of payments marks each
   * payment with a random text, then records the text, then calls `send`. If `storedBalance` later shows another mark,
   * the store was restored from a ticket, or is an older copy. In that case, the payment may have been made even if
   * this store doesn't contain it.
   */
  async mark(key: string, mark: string): Promise<void> {
    const stored = storedKeyOf(key)
    return this.#payer.inTurn(async () => {
      const { marks } = this.#record.state
      if (marks?.[stored] !== mark) await this.#record.save({ marks: { ...marks, [stored]: mark } })
    })
  }

  /**
   * Deletes unrecorded payments (`StoredBalance.unrecorded`) that may be the requested payment: one for each signature
   * in `only`, by default all. Before this call, the balance refuses the requested payment with PAYMENT_UNCERTAIN. Call
   * this once a person has decided to pay although the payment may have been made. For `send`, prefer `except`, which
   * deletes nothing if the payment isn't signed.
   */
  forgetUnrecorded(request: PaymentRequest, only?: readonly (string | null)[]): Promise<void> {
    return this.#payer.inTurn(async () => {
      const { unrecorded = [] } = this.#record.state
      const checked: Checked = only ?? unrecorded.map(({ signature }) => signature)
      const left = withoutChecked(this.#record, request, checked)
      if (left.unrecorded.length !== unrecorded.length) await this.#record.save(left)
    })
  }

  /**
   * Pays the lines of a list in order, each line exactly once. After an error or a crash, call the method again with
   * the same id and lines. It then reports the lines that are already paid, and doesn't pay them again.
   *
   * @throws the errors of `send`, at the first line that can't be paid. BalanceError KEY_REUSED before any payment if a
   *   line has changed; BALANCE_MISSING if other balances may have paid lines of the list.
   */
  sendAll(
    { id, lines }: PaymentList,
    onPaid: (progress: ListProgress) => void = () => undefined,
  ): Promise<PaidPayment[]> {
    return this.#payer.inTurn(async () => {
      assertListId(id)
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
   * that has enough left. The payments may be made in any order. After an error or a crash, call the method again with
   * the same id and lines, and with at least the same balances. It then reports the lines that are already paid, and
   * doesn't pay them again. A repeated call may add balances, and append lines. To continue a list that `sendAll`
   * began, include the balance of that call.
   *
   * @returns the payments in the order of the lines, once all payments are made.
   * @throws the errors of `sendAll`, after the payments that are in progress have ended. BalanceError
   *   BALANCES_TOO_SMALL if no single balance has enough left for a line. If the amounts without fees already show
   *   this, no new payment is made. RangeError for balances that can't share a list.
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
   * Drops every payment by `send` or `close` that was quoted but not signed, as if it had never been requested. Keeps
   * payments for lines of lists.
   */
  dropUnsigned(): Promise<void> {
    return this.#payer.inTurn(async () => {
      for (const [key, { step }] of Object.entries(this.#record.state.payments)) {
        const isOfList = nameIn(key).kind === 'line'
        if (step === 'quoted' && !isOfList) await this.#record.savePayment(key, undefined)
      }
    })
  }

  /** The balance's current state, as your own node shows it at a finalized slot. */
  state(): Promise<BalanceState> {
    return this.#payer.inTurn(() => readState(this.#context, this.#record))
  }

  /**
   * Closes the balance: pays the rest to the wallet now, less the fees of this payment. A random part of the rest, up
   * to a thousandth of the top-up, stays in the pool (docs/balances.md, "What others see"). If you don't call `close`,
   * the service returns the whole rest free of charge when the balance ends, except if `autoReturn` is false.
   *
   * After an error or a crash, call the method again. If an earlier closing payment may still land, the method
   * completes that payment. Otherwise it pays the current rest. If the balance is already closed, the method returns
   * the closing payment. It pays once more only if the balance has made other payments since, or if `kept` is less than
   * the remaining value.
   */
  close({ kept }: CloseOptions = {}): Promise<PaidPayment> {
    return this.#payer.inTurn(() => closeBalance(this.#payer, kept))
  }
}
