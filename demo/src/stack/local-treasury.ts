import { EXAMPLE_USDC } from '@sotto/contract'
import { lamports, type Address } from '@solana/kit'
import type { Chain } from '../chain.ts'
import { callLocal } from './call-local.ts'
import type { Treasury } from './treasury.ts'

/**
 * A treasury that uses the local chain's faucet. The faucet is the token's mint authority, so users of `npm start` can
 * mint test tokens for their own wallets.
 */
export function localTreasury(chain: Chain, rpcUrl: string): Treasury {
  return {
    async fund(owner, amount) {
      await chain.confirm(await chain.rpc.requestAirdrop(owner, lamports(amount)).send())
    },
    async createToken() {
      // The documented examples use this address as the token's mint.
      const token = { mint: EXAMPLE_USDC, decimals: 6, symbol: 'USDC' }
      return (await callLocal<{ mint: Address }>(rpcUrl, 'localnet_createMint', [token])).mint
    },
    async mint(owner, token, amount) {
      const params = [owner, token, String(amount)]
      const minted = await callLocal<{ signature: string }>(rpcUrl, 'localnet_mintTokens', params)
      await chain.confirm(minted.signature)
    },
  }
}
