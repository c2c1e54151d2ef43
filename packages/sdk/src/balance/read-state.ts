import { NOTHING, type Amount, type UnixSeconds } from '@sotto/protocol'
import { readClock } from '../transfer/read-deposit.ts'
import type { ChainContext } from './balance-context.ts'
import type { BalanceRecord, PaidPayment } from './balance-state.ts'
import { BalanceError } from './errors.ts'
import { closingKeysIn, nameIn } from './payment-keys.ts'
import { unspentNote } from './unspent-note.ts'

export interface BalanceState {
  /**
   * `closed`: `close` paid the rest to the wallet, and `value` is the part that stayed in the pool. `ended`: the
   * balance's life is over, so the rest can only return, or has returned, to the wallet. If `autoReturn` was false, the
   * service doesn't return it.
   */
  readonly status: 'open' | 'closed' | 'empty' | 'ended'
  /** The remaining value, in base units; 0 if the balance has ended. */
  readonly value: Amount
  readonly assetId: string
  /** The wallet to which the rest returns. */
  readonly senderAddress: string
  /** The end of the balance, in seconds since 1970 by the chain's clock. */
  readonly endsAt: UnixSeconds
  /** The chain's clock at a finalized slot, in seconds since 1970. Compare `endsAt` with this clock, not your own. */
  readonly clock: UnixSeconds
  /** The payments that `send` made, by key. */
  readonly paid: ReadonlyMap<string, PaidPayment>
}

/**
 * The state of a balance, as the owner's node shows it at a finalized slot. While a payment is signed, the function
 * saves nothing, so that the caller who completes that payment learns how it ended.
 */
export async function readState(
  context: ChainContext,
  stored: BalanceRecord,
): Promise<BalanceState> {
  const record = stored.signed === undefined ? stored : stored.copy()
  const { status, clock } = await statusOf(context, record)
  const paid = new Map<string, PaidPayment>()
  for (const [key, payment] of Object.entries(record.state.payments)) {
    const name = nameIn(key)
    if (name.kind === 'single' && payment.step === 'paid') paid.set(name.key, payment.paid)
  }
  const { note } = record.ticket
  return {
    ...{ status, clock, paid },
    value: status === 'ended' ? NOTHING : note.value,
    ...{ assetId: note.mint, senderAddress: note.sender, endsAt: note.expiry },
  }
}

async function statusOf(
  context: ChainContext,
  record: BalanceRecord,
): Promise<Pick<BalanceState, 'status' | 'clock'>> {
  try {
    const { clock } = await unspentNote(context, record)
    const { payments } = record.state
    const isClosed = closingKeysIn(payments).some((key) => payments[key]?.step === 'paid')
    return { status: isClosed ? 'closed' : 'open', clock }
  } catch (error) {
    const status = endAfter(error)
    if (status === undefined) throw error
    return { status, clock: await readClock(context.rpc) }
  }
}

function endAfter(error: unknown): 'empty' | 'ended' | undefined {
  if (!(error instanceof BalanceError)) return undefined
  if (error.code === 'BALANCE_EMPTY') return 'empty'
  return error.code === 'BALANCE_ENDED' ? 'ended' : undefined
}
