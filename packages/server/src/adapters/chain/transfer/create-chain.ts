import { associatedTokenAddress, type Address } from '@sotto/protocol'
import type { Chain } from '../../../ports/chain.ts'
import { readClock } from '../settlement/read-head.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import type { RecipientReads } from '../recipients/recipients.ts'
import { tokenPrograms } from '../settlement/token-programs.ts'
import { buildDeposit } from './build-deposit.ts'
import { readAssets } from './read-assets.ts'
import { readChainHead } from './read-chain-head.ts'
import { readPool } from './read-pool.ts'
import { recipientState } from './recipient-state.ts'

export interface ChainOptions {
  readonly rpc: ChainRpc
  /** One client for each node. Omitted or empty if only one node is configured. */
  readonly witnesses?: readonly ChainRpc[] | undefined
  readonly program: Address
  readonly recipients: RecipientReads
}

/**
 * Creates the chain that quotes and orders use, through a cluster's RPC. `readClock` reads at `finalized`. Everything
 * else is read at `confirmed`.
 */
export function createChain({ rpc, witnesses, program, recipients }: ChainOptions): Chain {
  const tokenProgramOf = tokenPrograms(rpc, witnesses)
  return {
    readPool: () => readPool(rpc, program),
    readAssets: (mints) => readAssets(rpc, program, mints),
    readClock: () => readClock(rpc, 'finalized'),
    readRecipient: async (mint, wallet, asker) => {
      const known = await recipients.known(mint, wallet)
      const accounts = known ?? (await recipients.read(mint, wallet, asker))
      return recipientState(accounts, { mint, wallet, program })
    },
    readPartner: async (mint, wallet) =>
      recipientState(await recipients.readPartner(mint, wallet), { mint, wallet, program }),
    readHead: () => readChainHead(rpc),
    partnerAccount: async (mint, wallet) => {
      const tokenProgram = await tokenProgramOf(mint)
      if (tokenProgram === undefined) return wallet
      return associatedTokenAddress(wallet, mint, tokenProgram)
    },
    buildDeposit: async (tree, deposit, head, unitPrice) => {
      const tokenProgram = await tokenProgramOf(deposit.terms.sourceMint)
      return buildDeposit({ program, tree, tokenProgram, unitPrice }, deposit, head)
    },
  }
}
