import { associatedTokenAddress } from '@sotto/protocol'
import type { Address, KeyPairSigner } from '@solana/kit'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  TOKEN_PROGRAM_ADDRESS,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from '@solana-program/token'
import type { Chain } from '../chain.ts'
import { keypairFile } from './keypair-file.ts'
import type { Treasury } from './treasury.ts'

const DECIMALS = 6

/**
 * A treasury whose wallet pays for everything with ordinary transactions, on any cluster. The token's mint is a new
 * account, whose keypair is kept in `mintFile`. The payer is the mint authority.
 */
export function payerTreasury(chain: Chain, payer: KeyPairSigner, mintFile: string): Treasury {
  return {
    async fund(destination, amount) {
      await chain.send(payer, [getTransferSolInstruction({ source: payer, destination, amount })])
    },
    async createToken() {
      const newAccount = await keypairFile(mintFile)
      const mint = newAccount.address
      if (await chain.exists(mint)) return mint
      const space = getMintSize()
      const rent = await chain.rpc.getMinimumBalanceForRentExemption(BigInt(space)).send()
      const programAddress = TOKEN_PROGRAM_ADDRESS
      const mintAuthority = payer.address
      await chain.send(payer, [
        getCreateAccountInstruction({ payer, newAccount, lamports: rent, space, programAddress }),
        getInitializeMint2Instruction({ mint, decimals: DECIMALS, mintAuthority }),
      ])
      return mint
    },
    async mint(owner: Address, mint: Address, amount: bigint) {
      const token = await associatedTokenAddress(owner, mint)
      await chain.send(payer, [
        getCreateAssociatedTokenIdempotentInstruction({ payer, ata: token, owner, mint }),
        getMintToInstruction({ mint, token, mintAuthority: payer, amount }),
      ])
    },
  }
}
