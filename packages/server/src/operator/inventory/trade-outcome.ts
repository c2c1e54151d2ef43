import type { Signature } from '@solana/kit'
import { amount, type Amount } from '@sotto/protocol'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import { lamportsGained, type AgreedTrade } from './trade-instructions.ts'

/**
 * The amount that a landed trade left in the owner's account beyond the agreed minimum, in base units of the bought
 * asset. Only the chain's record of this transaction is used, so other payments to the account change nothing.
 * @throws Error if the node doesn't have the record.
 */
export async function readSurplus(
  rpc: ChainRpc,
  signature: string,
  { accounts }: AgreedTrade,
): Promise<Amount> {
  const found = await rpc
    .getTransaction(signature as Signature, {
      ...{ commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 },
    })
    .send()
  const meta = found?.meta ?? undefined
  if (meta === undefined) throw new Error('the RPC node does not show the trade')
  const { owner, buy } = accounts
  if (buy.isNative) {
    const [before = 0n, after = 0n] = [meta.preBalances[0], meta.postBalances[0]]
    return positive(after - before + meta.fee - lamportsGained(accounts))
  }
  const held = (balances: typeof meta.preTokenBalances) =>
    (balances ?? [])
      .filter((one) => one.owner === owner && one.mint === buy.mint)
      .reduce((sum, one) => sum + BigInt(one.uiTokenAmount.amount), 0n)
  return positive(held(meta.postTokenBalances) - held(meta.preTokenBalances))
}

const positive = (units: bigint): Amount => amount(units > 0n ? units : 0n)
