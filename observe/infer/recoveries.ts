import type { SeenDeposit, SeenSettlement, Sightings } from '../chain/sightings.ts'

/**
 * A wallet that pays this many transactions is a relayer of a service. It may also have made a deposit, for example as
 * a trial. A person who recovers their own money pays fewer transactions.
 */
const RELAYED_MIN = 20
/** A missing fee is a sign of recovery only if at least this share of the asset's payments pays a fee. */
const SHARE_MIN = 0.5
/**
 * The logarithm of the factor for a payment whose transaction was paid by the wallet of another deposit. The factor
 * isn't 0, because the payee may have sent the transaction, and may also have made a deposit.
 */
const LOG_OTHER_PAYER = Math.log(0.0001)

/** What the chain shows about settlements that were made without the service (docs/recovery.md). */
export interface Recoveries {
  /**
   * True if the settlement is a payment out of a balance, and the balance's owner made it without the service. Such a
   * payment pays no fee. A transfer pays the fee of its quote, even if it is delivered without the service.
   */
  readonly isOwnPayment: (settlement: number) => boolean
  /**
   * The logarithm of the factor for the fee payer of a settlement that came from this deposit. If the fee payer is a
   * wallet that had made a deposit before, this wallet probably belongs to the payment's owner.
   */
  readonly logPayer: (settlement: number, deposit: number) => number
}

/** Reads the signs of recovery from fees and fee payers. */
export function readRecoveries({ deposits, settlements }: Sightings): Recoveries {
  const withFees = assetsWithFees(settlements)
  const own = new Set(
    settlements
      .filter(({ isRefund, fee, asset }) => !isRefund && fee === 0n && withFees.has(asset))
      .map(({ index }) => index),
  )
  const first = new Map<string, number>()
  for (const { sender, leafIndex } of deposits) {
    if (!first.has(sender)) first.set(sender, leafIndex)
  }
  const paid = new Map<string, number>()
  for (const { relayer } of settlements) paid.set(relayer, (paid.get(relayer) ?? 0) + 1)
  const owners = settlements.map(({ relayer, leafIndex }): SeenDeposit['sender'] | undefined => {
    const isOwner = (first.get(relayer) ?? Infinity) < leafIndex
    return isOwner && (paid.get(relayer) ?? 0) < RELAYED_MIN ? relayer : undefined
  })
  return {
    isOwnPayment: (settlement) => own.has(settlement),
    logPayer: (settlement, deposit) => {
      const owner = owners[settlement]
      return owner === undefined || owner === deposits[deposit]?.sender ? 0 : LOG_OTHER_PAYER
    },
  }
}

/** The assets for which at least half of the payments pay a fee. */
function assetsWithFees(settlements: readonly SeenSettlement[]): ReadonlySet<string> {
  const payments = settlements.filter(({ isRefund }) => !isRefund)
  const assets = new Set(payments.map(({ asset }) => asset))
  return new Set(
    [...assets].filter((asset) => {
      const ofAsset = payments.filter((one) => one.asset === asset)
      return ofAsset.filter(({ fee }) => fee > 0n).length >= SHARE_MIN * ofAsset.length
    }),
  )
}
