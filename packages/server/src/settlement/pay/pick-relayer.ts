import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { Random } from '../../ports/random.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { Signer } from '../../ports/signer.ts'
import { BALANCE_MIN } from '../../domain/settlement-cost.ts'

/**
 * A relayer at random among those that can pay, so that none of them stands for anything and one that
 * runs dry keeps nothing waiting.
 * @throws Error where none can.
 */
export async function pickRelayer(d: {
  readonly relayers: readonly Signer[]
  readonly chain: ChainPay
  readonly random: Random
  readonly log: SettlementLog
  readonly priorityLamports: bigint
}): Promise<Signer> {
  const balances = await d.chain.readBalances(d.relayers.map(({ address }) => address))
  const least = BALANCE_MIN + d.priorityLamports
  const funded = d.relayers.filter((_, index) => (balances[index] ?? 0n) >= least)
  const relayer = funded.length === 0 ? undefined : funded[d.random.below(funded.length)]
  if (relayer !== undefined) return relayer
  d.log.alert('relayers_dry')
  throw new Error('no relayer can pay for a settlement')
}
