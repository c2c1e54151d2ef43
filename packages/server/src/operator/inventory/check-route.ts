import { addressBytes, type Address } from '@sotto/protocol'
import { isSignerRole, isWritableRole, type AccountMeta } from '@solana/kit'
import { readAccounts, type RawAccount } from '../../adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import type { SwapRoute } from '../../ports/swap-market.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { tokenOf, type TradeAccounts } from './trade-accounts.ts'

/** Jupiter's aggregator, version 6. No other program gets the admin's signature for a swap. */
export const JUPITER_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address

const refuse = (reason: string): never => {
  throw new OperatorError(
    `the route is refused: ${reason}; nothing was signed. Run the command again. If this happens repeatedly, don't use this market`,
  )
}

/**
 * Checks the market's instruction before it becomes part of a transaction that the admin signs. The guards of
 * `tradeInstructions` limit what the instruction can do to the accounts of the trade. This check keeps the pool and the
 * admin's other accounts out of its reach. @throws OperatorError if the route is refused.
 */
export async function checkRoute(
  rpc: ChainRpc,
  program: Address,
  { swap, creates, wantsMore }: SwapRoute,
  { owner, sell, buy }: TradeAccounts,
): Promise<void> {
  const accounts: readonly AccountMeta[] = swap.accounts ?? []
  const own = [sell.account, buy.account]
  if (swap.programAddress !== JUPITER_PROGRAM) refuse("its program isn't Jupiter's")
  if (accounts.some(({ address, role }) => isSignerRole(role) && address !== owner)) {
    refuse("it needs a signature other than the admin's")
  }
  // The program could only be called if it were among the accounts.
  if (accounts.some(({ address }) => address === program)) refuse('it names the pool')
  if (!own.every((one) => accounts.some(({ address }) => address === one))) {
    refuse("it doesn't trade between the admin's own accounts")
  }
  if (wantsMore || !creates.every((one) => own.includes(one))) {
    refuse('it needs more than the swap itself')
  }
  const others = accounts
    .filter(({ address, role }) => isWritableRole(role) && ![owner, ...own].includes(address))
    .map(({ address }) => address)
  const read = await readAccounts(rpc, others, { commitment: 'confirmed' })
  if (read.accounts.some((one) => isOf(one, owner, program))) {
    refuse('it may change another account of the admin')
  }
}

/**
 * True if an account gives the owner rights: a token account that is the owner's, or any other account that contains the
 * owner's address, such as a stake account. A stranger's token account that the owner may spend from isn't the owner's.
 */
function isOf(account: RawAccount | undefined, owner: Address, program: Address): boolean {
  if (account === undefined) return false
  if (account.owner === program) return true
  const token = tokenOf(account)
  if (token === undefined)
    return Buffer.from(account.data).includes(Buffer.from(addressBytes(owner)))
  const { closeAuthority } = token
  return (
    token.owner === owner || (closeAuthority.__option === 'Some' && closeAuthority.value === owner)
  )
}
