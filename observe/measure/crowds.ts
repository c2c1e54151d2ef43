import type { KeptCrowd, Ledger } from '../load/ledger.ts'
import { isMostHeld, keepsPromise, SAMPLING_ERROR } from './calibration.ts'
import { mean, type ScoredPayment } from './summaries.ts'

/** Transfers that asked for a crowd of the same size. */
export interface CrowdFigures {
  /** The number of wallets that the transfers asked for. */
  readonly min: number
  readonly asked: number
  /** How the transfers ended: delivered in their crowd, delivered without it, or refunded. */
  readonly came: number
  readonly delivered: number
  readonly refunded: number
  /**
   * Figures for the transfers that were delivered in their crowd: the mean chance of the true wallet, and the geometric
   * mean of the effective set. `held` is the share whose effective set is at least `min`. `certain` is the share that
   * was linked with certainty. NaN if there are no such transfers.
   */
  readonly posterior: number
  readonly effectiveSet: number
  readonly held: number
  readonly certain: number
  /**
   * The number of promised crowds. A crowd counts as promised if its transfer was delivered in it, and the transfer's
   * quote promised it. A quote promises no crowd if it says that the pool has paid the recipient before.
   */
  readonly promised: number
  /** The mean chance of the true wallet over the promised crowds. NaN if there are no such crowds. */
  readonly promisedPosterior: number
  /**
   * The share of promised crowds for which the observer gave no wallet a chance above `1 / min`; NaN without crowds.
   */
  readonly heldMost: number
  /**
   * Like `heldMost`, but only for payees that are paid once, because a quote can't know later payments. NaN if there is
   * no such crowd.
   */
  readonly heldMostOnce: number
  /** The number of promised crowds whose payees are paid once. */
  readonly once: number
  /** True if the promised crowds hide their transfers at least as well as `min` equally likely wallets. */
  readonly isKept: boolean
}

/**
 * Compares the crowds that transfers asked for with the effective sets that the observer measured. A refund reveals the
 * deposit but no payee, so refunds are only counted.
 */
export function summariseCrowds(
  scored: readonly ScoredPayment[],
  { crowds = [] }: Ledger,
  certain: number,
): CrowdFigures[] {
  const payments = new Map(scored.map((one) => [one.truth.orderId, one]))
  const sizes = [...new Set(crowds.map(({ min }) => min))].sort((left, right) => left - right)
  return sizes.map((min) => {
    const group = crowds.filter((one) => one.min === min)
    const count = (outcome: KeptCrowd['outcome']) =>
      group.filter((one) => one.outcome === outcome).length
    const came = group.flatMap(({ orderId, outcome }) => {
      const payment = payments.get(orderId)
      return outcome === 'came' && payment !== undefined ? [payment] : []
    })
    const promised = came.filter(({ truth }) => truth.stated?.isPaidBefore !== true)
    const promisedPosterior = posteriorOf(promised)
    const once = promised.filter(({ isPaidOnce }) => isPaidOnce)
    const isHeld = (one: ScoredPayment) => isMostHeld(one, min)
    const heldMost = shareOf(promised, isHeld)
    const logs = came.map(({ chances }) => Math.log2(chances.effectiveSet))
    return {
      ...{ min, asked: group.length, came: count('came') },
      ...{ delivered: count('delivered'), refunded: count('refunded') },
      ...{ posterior: posteriorOf(came), promised: promised.length, promisedPosterior, heldMost },
      ...{ once: once.length, heldMostOnce: shareOf(once, isHeld) },
      isKept: promised.length === 0 || keepsPromise(promisedPosterior, [1 / min], heldMost),
      effectiveSet: 2 ** mean(logs),
      held: shareOf(came, ({ chances }) => chances.effectiveSet + SAMPLING_ERROR >= min),
      certain: shareOf(came, ({ posterior }) => posterior >= certain),
    }
  })
}

const posteriorOf = (payments: readonly ScoredPayment[]): number =>
  mean(payments.map(({ posterior }) => posterior))

const shareOf = (payments: readonly ScoredPayment[], is: (one: ScoredPayment) => boolean): number =>
  payments.filter(is).length / payments.length
