import { ROOTS, shownTree, type Address } from '@sotto/protocol'
import type { FinalizedHead, RecentRoots } from '../../../ports/settlement-chain.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** The Tree's ring of roots, at the head's slot or later. */
export async function readRoots(
  rpc: ChainRpc,
  { program, tree }: { readonly program: Address; readonly tree: Address },
  head: FinalizedHead,
): Promise<RecentRoots> {
  const { accounts } = await readAccounts(rpc, [tree], {
    commitment: 'finalized',
    slotMin: head.slot,
  })
  const shown = shownTree(program, accounts[0])
  if (shown === undefined) throw new Error('the RPC node shows no tree')
  const { nextIndex, root } = shown
  return {
    nextLeaf: nextIndex,
    rootAfter: (index) => {
      const isHeld = BigInt(index) < nextIndex && BigInt(index + ROOTS) >= nextIndex
      return isHeld ? root(index) : undefined
    },
  }
}
