import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { readAccounts } from '../settlement-chain/read-accounts.ts'
import type { ChainRpc } from '../settlement-chain/rpc-client.ts'

/** Where both token programs keep a mint's decimals, and whether it was initialised. */
const DECIMALS_OFFSET = 44
const BYTES = 46
const NATIVE_DECIMALS = 9

/** Decimals of a mint, from the chain: typed by hand they could be wrong by factors of ten. Never change. */
export function mintDecimals(rpc: ChainRpc): (mint: Address) => Promise<number> {
  const known = new Map<Address, number>([[NATIVE_MINT, NATIVE_DECIMALS]])
  return async (mint) => {
    const kept = known.get(mint)
    if (kept !== undefined) return kept
    const options = { commitment: 'confirmed', bytesMax: BYTES } as const
    const { accounts } = await readAccounts(rpc, [mint], options)
    const data = accounts[0]?.data
    const decimals = data?.[DECIMALS_OFFSET]
    if (decimals === undefined || data?.[DECIMALS_OFFSET + 1] !== 1) {
      throw new Error('a priced asset is no mint on this cluster')
    }
    known.set(mint, decimals)
    return decimals
  }
}
