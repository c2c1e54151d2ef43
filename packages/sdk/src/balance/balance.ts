import type { BalanceContext } from './balance-context.ts'
import { refusalOf } from '../transfer/transfer-context.ts'
import { BalancePayer } from './balance-payer.ts'
import { drawResidue } from './residue.ts'
import type { BalanceRecord, PaidPayment, PaymentRequest } from './balance-state.ts'
import { BalanceError } from './errors.ts'
import { assertPayable } from './pay.ts'
import { CLOSING, keyIn, ONE } from './payment-keys.ts'
import { keyOfLine, type ListProgress, type PaymentList } from './payment-list.ts'
import { readState, type BalanceState } from './read-state.ts'
import { assertOwnList, payFromSeveral } from './several-balances.ts'
import { unspentNote } from './unspent-note.ts'

/** A payment, and the key under which it is made at most once. */
export interface KeyedPayment extends PaymentRequest {
  /** The caller's own name for this payment, such as an invoice's number. */
  readonly key: string
}

export interface CloseOptions {
  /**
   * Base units that stay in the pool; by default `drawResidue` draws them. With 0n the whole rest returns. Then anyone
   * can find the payments of this balance, because they add up exactly to the difference between top-up and rest.
   */
  readonly kept?: bigint | undefined
}

/** Money inside the pool, from which its owner makes payments. Payments are made one after the other. */
export class Balance {
  readonly #context: BalanceContext
  readonly #record: BalanceRecord
  readonly #payer: BalancePayer

  /** Use `openBalance` or `restoreBalance`. */
  constructor(context: BalanceContext, record: BalanceRecord) {
    this.#context = context
    this.#record = record
    this.#payer = new BalancePayer(context, record)
  }

  /**
   * The newest ticket. Anyone who has it can spend the balance without the service. An earlier ticket works too, with a
   * node that still has the later payments.
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
   * Pays once for each key, however often it is called and at whatever point the process ends.
   *
   * @returns once your own node shows the payment at a finalized slot.
   * @throws BalanceError, PaymentRefusedError, and the errors of service and node. After an error, call it again with
   *   the same key.
   */
  send({ key, ...request }: KeyedPayment): Promise<PaidPayment> {
    return this.#payer.inTurn(() => this.#payer.pay(ONE + key, request))
  }

  /**
   * Pays the lines of a list in order, each exactly once. After an error or a crash, call it again with the same id and
   * lines: it reports paid lines and doesn't pay them again.
   *
   * @throws as `send`, at the first line that can't be paid; BalanceError KEY_REUSED before any payment if a line has
   *   changed, BALANCE_MISSING if other balances may have paid lines of the list.
   */
  sendAll(
    { id, lines }: PaymentList,
    onPaid: (progress: ListProgress) => void = () => undefined,
  ): Promise<PaidPayment[]> {
    return this.#payer.inTurn(async () => {
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
   * Pays a list out of several balances of one asset at the same time. Each line is paid exactly once, out of one
   * balance that has enough left; the lines have no particular order in time. After an error or a crash, call it again
   * with the same id and lines and at least the same balances: it reports paid lines and doesn't pay them again.
   * Further balances and lines may be added. To continue a list that `sendAll` began, include its balance.
   *
   * @returns the payments in the order of the lines, once all are made.
   * @throws as `sendAll`, after the payments that are under way have ended. BalanceError BALANCES_TOO_SMALL if no
   *   single balance has room for a line, before any further payment. RangeError for balances that can't share a list.
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
   * Drops each payment by `send` or `close` that was quoted but not signed, as if it had never been requested. Payments
   * of the lines of lists stay.
   */
  dropUnsigned(): Promise<void> {
    return this.#payer.inTurn(async () => {
      for (const [key, { step }] of Object.entries(this.#record.state.payments)) {
        const isOfList = keyIn(key) === undefined && key !== CLOSING
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
   * to a thousandth of the top-up, stays in the pool (docs/balances.md, "What others see"). Without this payment the
   * whole rest returns at the end of the balance, free of charge.
   */
  close({ kept }: CloseOptions = {}): Promise<PaidPayment> {
    return this.#payer.inTurn(async () => {
      const former = this.#record.state.payments[CLOSING]
      // A payment that is only quoted isn't signed yet, so a closing with another `kept` may replace it.
      const isReplaced = former?.step === 'quoted' && kept !== undefined
      if (former !== undefined && !isReplaced) return this.#payer.pay(CLOSING, former.request)
      if (isReplaced) await this.#record.savePayment(CLOSING, undefined)
      await this.#payer.settleOthers(CLOSING)
      const { note } = (await unspentNote(this.#context, this.#record)).ticket
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
        // If the rest is just enough for a payment, there is no room for a residue.
        const isTooSmall = refusalOf(error)?.code === 'AMOUNT_OUT_OF_RANGE' && kept === undefined
        if (!isTooSmall) throw error
        return pay(0n)
      }
    })
  }
}
