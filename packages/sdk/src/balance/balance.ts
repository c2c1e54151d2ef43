import type { BalanceContext } from './balance-context.ts'
import {
  ticketIn,
  type BalanceRecord,
  type PaidPayment,
  type PaymentRequest,
} from './balance-state.ts'
import { BalanceError } from './errors.ts'
import { assertPayable, payOnce } from './pay.ts'
import { settlePayment } from './settle-payment.ts'
import { unspentNote } from './unspent-note.ts'

/** A payment, and the key under which it is made at most once. */
export interface KeyedPayment extends PaymentRequest {
  /** The caller's own name for this payment, such as an invoice's number. */
  readonly key: string
}

export interface BalanceState {
  /** `ended`: the rest returns, or has returned, to the wallet. */
  readonly status: 'open' | 'empty' | 'ended'
  /** Base units that are left. */
  readonly value: bigint
  readonly assetId: string
  /** The wallet that the rest returns to. */
  readonly senderAddress: string
  /** Seconds since 1970 by the chain's clock. */
  readonly endsAt: bigint
  /** Payments by key. */
  readonly paid: ReadonlyMap<string, PaidPayment>
}

export interface PaymentList {
  /** The caller's own name for the list, such as `payroll-2026-11`. */
  readonly id: string
  /** A line's place in the list is part of its key: append lines, but never reorder or change them. */
  readonly lines: readonly PaymentRequest[]
}

export interface ListProgress {
  readonly line: number
  readonly paid: PaidPayment
}

/** The key of the payment that `close` makes. */
const CLOSING = 'close'
/** Keys of lists and of single payments must not meet. */
const [ONE, LINE] = ['one:', 'line:']

/** Money inside the pool that its owner pays out of. Payments are made one after the other. */
export class Balance {
  readonly #context: BalanceContext
  readonly #record: BalanceRecord
  #last: Promise<unknown> = Promise.resolve()

  /** Use `openBalance` or `restoreBalance`. */
  constructor(context: BalanceContext, record: BalanceRecord) {
    this.#context = context
    this.#record = record
  }

  /**
   * The newest ticket: with it, and no service, anyone can spend the balance. Any earlier ticket does as well.
   */
  get ticket(): string {
    const { ticket } = this.#record.state
    if (ticket !== null) return ticket
    throw new BalanceError('NOT_OPENED', 'this balance has no ticket yet')
  }

  /** Brings a payment that was signed before the process ended to its end. */
  resume(): Promise<void> {
    return this.#inTurn(() => this.#settleOthers(undefined))
  }

  /**
   * Pays once for each key, however often it is called and wherever the process ends.
   *
   * @returns once a finalized slot of the own node shows the payment.
   * @throws BalanceError, PaymentRefusedError, and what service and node throw; call it again with the same key.
   */
  send({ key, ...request }: KeyedPayment): Promise<PaidPayment> {
    return this.#inTurn(() => this.#pay(ONE + key, request))
  }

  /**
   * Pays a list in its order, each line exactly once. After an error or a crash, call it again with the same id and
   * lines: paid lines are only reported again.
   *
   * @throws as `send`, at the first line that can't be paid; BalanceError KEY_REUSED before any payment if a line has
   *   changed.
   */
  sendAll(
    { id, lines }: PaymentList,
    onPaid: (progress: ListProgress) => void = () => undefined,
  ): Promise<PaidPayment[]> {
    return this.#inTurn(async () => {
      const keyOf = (line: number) => `${LINE}${line}:${id}`
      for (const [line, request] of lines.entries()) {
        assertPayable(this.#record, keyOf(line), request)
      }
      const all: PaidPayment[] = []
      for (const [line, request] of lines.entries()) {
        const paid = await this.#pay(keyOf(line), request)
        all.push(paid)
        onPaid({ line, paid })
      }
      return all
    })
  }

  /** What is left now, by a finalized slot of the own node. */
  state(): Promise<BalanceState> {
    return this.#inTurn(async () => {
      const status = await this.#status()
      const { payments } = this.#record.state
      const paid = new Map<string, PaidPayment>()
      for (const [key, payment] of Object.entries(payments)) {
        if (payment.step === 'paid') paid.set(key.replace(ONE, ''), payment.paid)
      }
      const { note } = ticketIn(this.#record.state)
      return {
        ...{ status, paid },
        value: status === 'ended' ? 0n : note.value,
        ...{ assetId: note.mint, senderAddress: note.sender, endsAt: note.expiry },
      }
    })
  }

  /**
   * Pays the whole rest to the wallet now, less the fees of this payment. Without it the rest returns at the end of
   * the balance, free of charge.
   */
  close(): Promise<PaidPayment> {
    return this.#inTurn(async () => {
      const former = this.#record.state.payments[CLOSING]
      if (former !== undefined) return this.#pay(CLOSING, former.request)
      await this.#settleOthers(CLOSING)
      const { note } = (await unspentNote(this.#context, this.#record)).ticket
      return this.#pay(CLOSING, { to: note.sender, amount: `${note.value}`, mode: 'exact_in' })
    })
  }

  async #status(): Promise<BalanceState['status']> {
    try {
      await unspentNote(this.#context, this.#record)
      return 'open'
    } catch (error) {
      if (error instanceof BalanceError && error.code === 'BALANCE_EMPTY') return 'empty'
      if (error instanceof BalanceError && error.code === 'BALANCE_ENDED') return 'ended'
      throw error
    }
  }

  async #pay(key: string, request: PaymentRequest): Promise<PaidPayment> {
    await this.#settleOthers(key)
    return payOnce(this.#context, this.#record, key, request)
  }

  /** A note has one payment at a time: whatever another key has signed must end first. */
  async #settleOthers(key: string | undefined): Promise<void> {
    for (const [other, payment] of Object.entries(this.#record.state.payments)) {
      if (other !== key && payment.step === 'signed') {
        await settlePayment(this.#context, this.#record, other, payment)
      }
    }
  }

  /** Runs `work` after everything that was asked for before. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work, work)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
