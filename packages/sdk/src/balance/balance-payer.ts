import type { BalanceContext } from './balance-context.ts'
import type { BalanceRecord, PaidPayment, PaymentRequest } from './balance-state.ts'
import { payOnce } from './pay.ts'
import { settlePayment } from './settle-payment.ts'
import type { Checked } from './unrecorded.ts'

/** Makes a balance's payments, one at a time. */
export class BalancePayer {
  readonly context: BalanceContext
  readonly record: BalanceRecord
  #last: Promise<unknown> = Promise.resolve()

  constructor(context: BalanceContext, record: BalanceRecord) {
    this.context = context
    this.record = record
  }

  /** Runs `work` after all work that was passed in earlier calls has ended. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work, work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Makes the payment with this key, at most once. Call this method only from work that `inTurn` runs. */
  async pay(key: string, request: PaymentRequest, checked?: Checked): Promise<PaidPayment> {
    await this.settleOthers(key)
    return payOnce(this.context, this.record, key, request, checked)
  }

  /**
   * Waits until each signed payment with another key has ended, because a note can be in only one payment at a time.
   * Call this method only from work that `inTurn` runs.
   */
  async settleOthers(key: string | undefined): Promise<void> {
    for (const [other, payment] of Object.entries(this.record.state.payments)) {
      if (other !== key && payment.step === 'signed') {
        await settlePayment(this.context, this.record, other, payment)
      }
    }
  }
}
