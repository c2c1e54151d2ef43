import { address, getI64Decoder, getU64Decoder, type Address } from '@solana/kit'
import type { FinalizedHead } from '../../ports/chain-follow.ts'
import { readAccounts } from './read-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'

const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111')
const UNIX_TIMESTAMP_OFFSET = 32
const NEXT_INDEX_OFFSET = 8
/** The Clock sysvar whole, and the beginning of the Tree. */
const HEAD_BYTES = 40

/**
 * Height first, then clock and tree together at that slot or later: whatever the height rules out has
 * had its chance to show in what is read afterwards.
 */
export async function readHead(rpc: ChainRpc, tree: Address): Promise<FinalizedHead> {
  const { absoluteSlot, blockHeight } = await rpc.getEpochInfo({ commitment: 'finalized' }).send()
  const { slot, accounts } = await readAccounts(rpc, [CLOCK_SYSVAR, tree], {
    commitment: 'finalized',
    slotMin: absoluteSlot,
    bytesMax: HEAD_BYTES,
  })
  const [clock, treeStart] = accounts
  if (clock === undefined || treeStart === undefined) {
    throw new Error('the RPC node shows no clock or no tree')
  }
  return {
    slot,
    blockHeight,
    unixSeconds: getI64Decoder().decode(clock.data, UNIX_TIMESTAMP_OFFSET),
    nextLeaf: getU64Decoder().decode(treeStart.data, NEXT_INDEX_OFFSET),
  }
}

/** The chain's clock. */
export async function readClock(
  rpc: ChainRpc,
  commitment: 'confirmed' | 'finalized' = 'confirmed',
): Promise<bigint> {
  const { accounts } = await readAccounts(rpc, [CLOCK_SYSVAR], { commitment })
  if (accounts[0] === undefined) throw new Error('the RPC node shows no clock')
  return getI64Decoder().decode(accounts[0].data, UNIX_TIMESTAMP_OFFSET)
}
