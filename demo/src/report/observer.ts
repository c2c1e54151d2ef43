import { observeSeeded } from '../../../observe/observe-seeded.ts'
import type { Stage } from '../stage.ts'

/** The conclusions of an observer of the public chain about one settlement. */
export interface Observation {
  readonly settlement: string
  readonly amount: bigint
  /** The number of equally likely wallets that would make the observer equally uncertain. */
  readonly effectiveSet: number
  /** The chance that the observer gives to the wallet that really paid, from 0 to 1. */
  readonly chanceOfTruth: number
}

interface Made {
  readonly settlement: string
  readonly signature: string
  readonly sender: string
  readonly amount: bigint
}

/** The settlements of this run, with the wallets that deposited their notes. */
function settlementsOf({ transfers, balances }: Stage): Made[] {
  const ofBalances = balances.flatMap(({ name, sender, payments }) =>
    payments.map(({ signature, payout }, index) => {
      return { settlement: `${name}, payment ${index + 1}`, signature, sender, amount: payout }
    }),
  )
  const ofTransfers = transfers.map(({ name, settleSignature, sender, paid }) => {
    return { settlement: name, signature: settleSignature, sender, amount: paid }
  })
  return [...ofTransfers, ...ofBalances]
}

/**
 * Lets the repository's observer link the payments of this pool to its deposits, from JSON-RPC data alone, and compares
 * the result with the truth. Refunds are left out, because each names its sender.
 */
export async function observe(stage: Stage): Promise<Observation[]> {
  const { rpcUrl, program } = stage
  const { wallets } = await observeSeeded({ rpcUrl, program }, 'demo')
  const bySignature = new Map(wallets.map((one) => [one.settlement.signature, one]))
  return settlementsOf(stage).flatMap(({ settlement, signature, sender, amount }) => {
    const seen = bySignature.get(signature)
    if (seen === undefined) return []
    const truth = seen.wallets.find(({ wallet }) => wallet === sender)
    const { effectiveSet } = seen
    return [{ settlement, amount, effectiveSet, chanceOfTruth: truth?.chance ?? 0 }]
  })
}
