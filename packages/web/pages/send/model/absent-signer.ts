import type { OrderSigner } from '@sotto/sdk/wallet'
import type { Address } from '@solana/kit'
import { WalletMissingError } from './problems.ts'

/** A signer for a wallet that isn't connected. With it, the SDK can run all steps that need no signature. */
export function absentSigner(address: string): OrderSigner {
  return {
    address: address as Address,
    signWire: async () => {
      throw new WalletMissingError('The wallet is not connected.')
    },
  }
}
