import { observeSeeded } from '../../../observe/observe-seeded.ts'
import type { Stage } from '../stage.ts'

/** An observer's conclusions about one settlement, drawn from the public chain. */
export interface Observation {
  readonly settlement: string
  readonly amount: bigint
  /** The observer is as uncertain as if this number of wallets were equally likely. */
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
 * Runs the observer of this repository. It links the payments of this pool to deposits, with only JSON-RPC data. Then
 * compares the result with the true links. Refunds are left out, because each refund names its sender.
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
