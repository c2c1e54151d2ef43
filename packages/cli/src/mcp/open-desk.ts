import type { UnixSeconds } from '@sotto/protocol'
import { BalanceError, drawPaymentTime, openBalance, type BalanceState } from '@sotto/sdk/balance'
import type { CliRpc } from '../amounts/mint-decimals.ts'
import { balanceStore, usingBalances } from '../balances/balance-files.ts'
import { serviceOf } from '../balances/service-of.ts'
import { quietFrom } from '../balances/soon-after-top-up.ts'
import { readOpened } from '../balances/use-balance.ts'
import { nowMs } from '../clock.ts'
import type { CliContext } from '../context.ts'
import { Ledger, ledgerPath } from './ledger/ledger.ts'
import { QuestionFiles } from './ledger/question-files.ts'
import { limitsIn, type TypedLimits } from './limits.ts'
import { readPaidAsset, type PaidAsset } from './paid-asset.ts'
import { BalancePurse, withinAllowance, type Allowance } from './payments/balance-purse.ts'
import { PaymentDesk } from './payments/payment-desk.ts'

/** Everything that the tools use once the balance and the ledger are open. */
export interface OpenDesk {
  readonly balance: string
  readonly asset: PaidAsset
  readonly desk: PaymentDesk
  readonly questions: QuestionFiles
  readonly rpc: CliRpc
  /** Reads the balance's state from the chain. */
  readonly state: () => Promise<BalanceState>
  /** The period in which a payment's time reveals the top-up; undefined once that period is over. */
  readonly soon: () => Promise<SoonAfter | undefined>
  readonly close: () => Promise<void>
}

const POLL_MS = 1_000

/**
 * Locks and opens the balance and the ledger. If an earlier process left a payment unfinished, waits until that
 * payment has ended. This can take as long as the payment's signature is valid. @throws ToolError, CliError, and the
 * errors of the service and the node.
 */
export async function openDesk(
  context: CliContext,
  balance: string,
  limits: TypedLimits,
  signal: AbortSignal,
): Promise<OpenDesk> {
  const { home } = context.settings
  const release = await hold(home, balance)
  try {
    const ledger = await Ledger.open(ledgerPath(home, balance), nowMs)
    const close = async () => {
      await ledger.close()
      release()
    }
    try {
      const opened = await openWith(context, balance, ledger, limits, signal)
      return {
        ...opened,
        close: async () => {
          await opened.desk.idle()
          await close()
        },
      }
    } catch (error) {
      await close()
      throw error
    }
  } catch (error) {
    release()
    throw error
  }
}

async function openWith(
  context: CliContext,
  name: string,
  ledger: Ledger,
  typed: TypedLimits,
  signal: AbortSignal,
): Promise<Omit<OpenDesk, 'close'>> {
  const { home, programId } = context.settings
  const [service, rpc, store] = [serviceOf(context), await context.rpc(), balanceStore(home, name)]
  const { assetId } = await readOpened(home, name)
  const asset = await readPaidAsset(context, assetId, signal)
  const limits = limitsIn(typed, asset.decimals)
  const allowance: Allowance = { most: null }
  const openStored = () =>
    openBalance({
      ...{ service, rpc, signal, programId, store },
      approve: withinAllowance(allowance),
      // This list is needed only to verify a deposit, and this balance's deposit has already landed.
      acceptedPrograms: [],
      pollMs: POLL_MS,
    })
  // PAYMENT_UNCERTAIN: an equal payment has spent a signed payment's note, so the SDK has dropped the signed payment.
  // Open again now. `reconcile` must mark the dropped payment in the ledger before a person can use the balance and
  // clear the record of the equal payment. Without that record, nothing shows that the dropped payment was signed.
  const balance = await openStored().catch((error: unknown) => {
    const isDropped = error instanceof BalanceError && error.code === 'PAYMENT_UNCERTAIN'
    if (isDropped) return openStored()
    throw error
  })
  // Finds payments that the store lacks, in case the store was restored from a ticket or from an older copy.
  await balance.state()
  const purse = new BalancePurse(balance, store, service, allowance, signal)
  const desk = new PaymentDesk(ledger, limits, purse)
  await desk.reconcile()
  const questions = new QuestionFiles(home)
  return {
    ...{ balance: name, asset, desk, questions, rpc },
    state: () => balance.state(),
    soon: soonAfter(context, name),
  }
}

/** The period soon after a top-up. Both times are in seconds of the chain's clock. */
export interface SoonAfter {
  /** Until this time, a payment's time reveals the top-up. */
  readonly linkableUntil: UnixSeconds
  /** A moment drawn at random in the hours after `linkableUntil`. All answers about one top-up name the same moment. */
  readonly payAt: UnixSeconds
}

function soonAfter(context: CliContext, name: string): OpenDesk['soon'] {
  let last: SoonAfter | undefined
  return async () => {
    const linkableUntil = (await quietFrom(context, [name]))?.at
    if (linkableUntil === undefined) return undefined
    // Keep the drawn moment. If each answer named another moment, an agent that asks often could choose the earliest.
    if (last?.linkableUntil !== linkableUntil) {
      last = { linkableUntil, payAt: drawPaymentTime(linkableUntil) }
    }
    return last
  }
}

/** Prevents every other command from using the balance until the returned function is called. */
function hold(home: string, name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    usingBalances(home, [name], () => new Promise<void>((release) => resolve(release))).catch(
      reject,
    )
  })
}
