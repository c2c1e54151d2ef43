import {
  decodeTicket,
  encodeTicket,
  ownerOf,
  parseAmount,
  without,
  type Amount,
} from '@sotto/protocol'
import {
  isLikeUnrecorded,
  storedBalance,
  type Balance,
  type BalanceService,
  type BalanceStore,
  type PaidPayment,
  type StoredPayment,
} from '@sotto/sdk/balance'
import type { QuoteResponse } from '@sotto/sdk/server'
import { AGENT_PREFIX } from '../../balances/payment-names.ts'
import { ToolError } from '../tool-error.ts'
import type { Attempt, Cost, Outcome, PaymentOrder, Purse, SuggestedAmount } from './purse.ts'

/** The maximum that may leave the balance for the current payment; null between payments. */
export interface Allowance {
  most: Amount | null
}

/**
 * The `approve` function for `openBalance`. It accepts a quote up to the allowance. Without an allowance it accepts
 * no quote.
 */
export const withinAllowance =
  (allowance: Allowance) =>
  ({ quote }: { readonly quote: { readonly amountIn: string } }): boolean => {
    const total = parseAmount(quote.amountIn)
    return allowance.most !== null && total !== undefined && total <= allowance.most
  }

type Suggestion = NonNullable<QuoteResponse['suggestions']>[number]

/** Maximum number of suggestions: two figures of the series on either side of the requested amount. */
const SUGGESTIONS_MAX = 4

/**
 * Reads the service's values as numbers, because a text from the service could contain instructions to the agent. Leaves
 * out amounts that are less than half or more than twice the requested amount, because the nearest figures of the
 * series are nearer. Otherwise a service could advise the agent to pay far more.
 */
function readSuggestions(suggestions: readonly Suggestion[], asked: Amount): SuggestedAmount[] {
  const read = suggestions.flatMap(({ amountOut, anonymitySet }) => {
    const amount = parseAmount(amountOut)
    const isCount = Number.isSafeInteger(anonymitySet) && anonymitySet >= 1
    if (amount === undefined || !isCount) return []
    const isNear = amount * 2n >= asked && amount <= asked * 2n
    return isNear ? [{ amount, crowd: anonymitySet }] : []
  })
  return read.slice(0, SUGGESTIONS_MAX)
}

/** A purse that wraps a balance of the SDK and makes one payment at a time. */
export class BalancePurse implements Purse {
  readonly #balance: Balance
  readonly #store: BalanceStore
  readonly #service: BalanceService
  readonly #allowance: Allowance
  readonly #signal: AbortSignal
  #last: Promise<unknown> = Promise.resolve()

  constructor(
    balance: Balance,
    store: BalanceStore,
    service: BalanceService,
    allowance: Allowance,
    signal: AbortSignal,
  ) {
    this.#balance = balance
    this.#store = store
    this.#service = service
    this.#allowance = allowance
    this.#signal = signal
  }

  async mayBePaid({ to, amount }: PaymentOrder): Promise<boolean> {
    const { unrecorded = [] } = (await storedBalance(this.#store)) ?? {}
    return unrecorded.some((one) => isLikeUnrecorded(one, { to, amount: `${amount}` }))
  }

  async quote(to: string, amount: Amount): Promise<Cost> {
    const { program, orderId, note } = decodeTicket(this.#balance.ticket, ownerOf)
    const asked = {
      ...{ amount: `${amount}`, mode: 'exact_out' as const },
      ...{ sourceAssetId: note.mint, destinationAssetId: note.mint },
      ...{ senderAddress: note.sender, recipientAddress: to },
      // The ticket without its secret, so that a reader can't make payments.
      balance: encodeTicket({ program, orderId, note }),
    }
    const quoted = await this.#service.quote(asked, { signal: this.#signal })
    const { quote, suggestions = [], recipientPaidBefore } = quoted
    const total = parseAmount(quote.amountIn)
    if (total === undefined || total < amount || quote.amountOut !== `${amount}`) {
      const message = 'the service quoted a different payment; nothing was paid'
      const next = 'do not retry; ask the person who runs this server'
      throw new ToolError('QUOTE_REFUSED', message, next)
    }
    const fee = without(total, amount)
    const isPaidBefore = recipientPaidBefore === true
    return { total, fee, suggestions: readSuggestions(suggestions, amount), isPaidBefore }
  }

  pay({ key, to, amount }: PaymentOrder, most: Amount, attempt: Attempt): Promise<PaidPayment> {
    const work = async () => {
      await this.#balance.mark(AGENT_PREFIX + key, attempt.id)
      await attempt.begin()
      this.#allowance.most = most
      try {
        return await this.#balance.send({ key: AGENT_PREFIX + key, to, amount: `${amount}` })
      } finally {
        this.#allowance.most = null
      }
    }
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async outcome(key: string, attemptId: string): Promise<Outcome> {
    const stored = await storedBalance(this.#store)
    const isOwn = (one: StoredPayment) => one.kind === 'single' && one.key === AGENT_PREFIX + key
    const step = stored?.payments.find(isOwn)?.step
    if (step === 'signed' || step === 'paid') return step
    // The SDK drops a signature if one node shows that the payment can't land. That node may lie.
    const hasLapsed = stored?.lapsed.includes(AGENT_PREFIX + key) === true
    const isOwnAttempt = stored?.marks.get(AGENT_PREFIX + key) === attemptId
    return isOwnAttempt && !hasLapsed ? 'unsigned' : 'unknown'
  }
}
