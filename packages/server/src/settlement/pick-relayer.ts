import type { ChainSettle } from '../ports/chain-settle.ts'
import type { Random } from '../ports/random.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { Signer } from '../ports/signer.ts'

/**
 * Lamports a relayer must hold to be given a settlement: a nullifier's and a token account's rent and
 * a few fees, about 0.0035 SOL, with room.
 */
const BALANCE_MIN = 10_000_000n

/**
 * A relayer at random among those that can pay, so that none of them stands for anything.
 * @throws Error where none can.
 */
export async function pickRelayer(d: {
  readonly relayers: readonly Signer[]
  readonly chain: ChainSettle
  readonly random: Random
  readonly log: SettlementLog
}): Promise<Signer> {
  const balances = await d.chain.readBalances(d.relayers.map(({ address }) => address))
  const funded = d.relayers.filter((_, index) => (balances[index] ?? 0n) >= BALANCE_MIN)
  const relayer = funded.length === 0 ? undefined : funded[d.random.below(funded.length)]
  if (relayer !== undefined) return relayer
  d.log.alert('relayers_dry')
  throw new Error('no relayer can pay for a settlement')
}
