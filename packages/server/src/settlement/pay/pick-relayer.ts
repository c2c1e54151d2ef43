import type { PriceBounds } from '@sotto/protocol'
import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { Random } from '../../ports/random.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { Signer } from '../../ports/signer.ts'
import { priorityLamportsMax, relayerMinimum } from '../../domain/settlement-cost.ts'

/**
 * Picks a relayer at random among those with enough balance. So the choice reveals nothing about the order, and a
 * relayer without money delays no order.
 *
 * @throws Error if no relayer has enough balance.
 */
export async function pickRelayer(d: {
  readonly relayers: readonly Signer[]
  readonly chain: ChainPay
  readonly random: Random
  readonly log: SettlementLog
  readonly prices: PriceBounds
}): Promise<Signer> {
  const wallets = d.relayers.map(({ address }) => address)
  const { balances, lamportsPerByte } = await d.chain.readBalances(wallets)
  const least = relayerMinimum({ lamportsPerByte, priority: priorityLamportsMax(d.prices) })
  const funded = d.relayers.filter((_, index) => (balances[index] ?? 0n) >= least)
  const relayer = funded.length === 0 ? undefined : funded[d.random.below(funded.length)]
  if (relayer !== undefined) return relayer
  d.log.alert('relayers_dry')
  throw new Error('no relayer can pay for a settlement')
}
