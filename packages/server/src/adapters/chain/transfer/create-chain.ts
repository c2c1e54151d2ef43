import { associatedTokenAddress, type Address } from '@sotto/protocol'
import type { Chain } from '../../../ports/chain.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import { readClock } from '../settlement/read-head.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { tokenPrograms } from '../settlement/token-programs.ts'
import { buildDeposit } from './build-deposit.ts'
import { gatherReads } from './gather-reads.ts'
import { readAssets } from './read-assets.ts'
import { readChainHead } from './read-chain-head.ts'
import { readPool } from './read-pool.ts'
import { readRecipient } from './read-recipient.ts'

export interface ChainOptions {
  readonly rpc: ChainRpc
  readonly program: Address
  /** Micro-lamports per compute unit that a sender's transaction offers. */
  readonly depositPriorityFee: bigint
}

/** The chain as quotes and orders use it, through a cluster's RPC at `confirmed`. */
export function createChain({ rpc, program, depositPriorityFee }: ChainOptions): Chain {
  const tokenProgramOf = tokenPrograms(rpc)
  const read = gatherReads(async (addresses) => {
    const { accounts } = await readAccounts(rpc, addresses, { commitment: 'confirmed' })
    return accounts
  })
  return {
    readPool: () => readPool(rpc, program),
    readAssets: (mints) => readAssets(rpc, program, mints),
    readClock: () => readClock(rpc, 'finalized'),
    readRecipient: (mint, wallet) => readRecipient({ read, program, tokenProgramOf }, mint, wallet),
    readHead: () => readChainHead(rpc),
    partnerAccount: async (mint, wallet) => {
      const tokenProgram = await tokenProgramOf(mint)
      if (tokenProgram === undefined) return wallet
      return associatedTokenAddress(wallet, mint, tokenProgram)
    },
    buildDeposit: async (tree, deposit, head) => {
      const tokenProgram = await tokenProgramOf(deposit.terms.sourceMint)
      return buildDeposit({ program, tree, tokenProgram, depositPriorityFee }, deposit, head)
    },
  }
}
