import { NOTHING, type Amount } from '@sotto/protocol'
import type { BalanceState, StoredBalance, StoredPayment } from '@sotto/sdk/balance'
import type { CliContext } from '../context.ts'
import { isoOfSeconds } from '../output/show-time.ts'
import { balanceStore, unknownBalance } from './balance-files.ts'
import { labelOf } from './payment-names.ts'

/** A payment that has begun. The store doesn't show whether it has ended. */
export interface LivePayment {
  /** The payment's name, for a person to read. A payment by `sotto balance send` has its key as its name. */
  readonly key: string
  readonly recipient: string
  /** The requested amount in base units. */
  readonly amount: string
  readonly isSigned: boolean
  readonly trackingId: string | null
  /** The payment can't land after this time; null if nothing has been signed. */
  readonly validUntil: string | null
}

/** A balance's state, from its store and the chain. */
export interface Overview {
  readonly balance: string
  /**
   * `opening`: the deposit isn't finished. `unpaid`: the deposit was never made, and can't be made any more. `paying`:
   * a signed payment is in progress, and no other payment can be made until it ends. `unknown`: the node doesn't
   * respond.
   */
  readonly status:
    | 'opening'
    | 'unpaid'
    | 'open'
    | 'paying'
    | 'closed'
    | 'empty'
    | 'ended'
    | 'unknown'
  readonly assetId: string
  /**
   * The remaining value in base units. If the node doesn't respond, it is the value after the last payment in the
   * store.
   */
  readonly left: Amount
  readonly endsAt: string | null
  readonly returnsTo: string
  readonly live: LivePayment | null
  /** The reason why the chain couldn't be read; null if it was read. */
  readonly problem: string | null
}

const NOT_OPEN = { endsAt: null, problem: null } as const

/** Reads one balance without changing it. Another process may use the balance at the same time. @throws CliError. */
export async function readOverview(
  context: CliContext,
  name: string,
): Promise<{ readonly overview: Overview; readonly stored: StoredBalance }> {
  const { settings } = context
  const { readBalance, storedBalance } = await import('@sotto/sdk/balance')
  const store = balanceStore(settings.home, name)
  const stored = await storedBalance(store)
  if (stored === undefined) throw unknownBalance(name)
  const { assetId, senderAddress: returnsTo } = stored
  const live = liveIn(stored.payments)
  const known = { balance: name, assetId, returnsTo, live }
  if (stored.topUp === 'done') {
    return { stored, overview: { ...known, ...NOT_OPEN, status: 'unpaid', left: NOTHING } }
  }
  if (stored.topUp !== null) {
    return { stored, overview: { ...known, ...NOT_OPEN, status: 'opening', left: stored.value } }
  }
  const endsAt = stored.endsAt === null ? null : isoOfSeconds(stored.endsAt)
  try {
    const rpc = await context.rpc()
    const state = await readBalance({ store, rpc, programId: settings.programId })
    const seen = { status: statusOf(state, live), left: state.value, problem: null }
    return { stored, overview: { ...known, endsAt, ...seen } }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const unread = { status: 'unknown', left: stored.value, problem } as const
    return { stored, overview: { ...known, endsAt, ...unread } }
  }
}

const statusOf = ({ status }: BalanceState, live: LivePayment | null): Overview['status'] =>
  status === 'open' && live?.isSigned === true ? 'paying' : status

function liveIn(payments: readonly StoredPayment[]): LivePayment | null {
  const live = payments.find(({ step }) => step === 'signed')
  const begun = live ?? payments.find(({ step }) => step === 'quoted')
  if (begun === undefined || begun.step === 'paid') return null
  const { request } = begun
  const key = labelOf(begun)
  const { trackingId, validUntil } =
    begun.step === 'signed' ? begun : { trackingId: null, validUntil: null }
  const isSigned = begun.step === 'signed'
  return { key, recipient: request.to, amount: request.amount, isSigned, trackingId, validUntil }
}
