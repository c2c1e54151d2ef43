import {
  addressBytes,
  assetAddress,
  poolAddress,
  TOKEN_2022_PROGRAM,
  vaultAddress,
  type Address,
} from '@sotto/protocol'
import { isSignerRole, isSome, type AccountMeta } from '@solana/kit'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { fromEach } from '../../adapters/chain/settlement/witnesses.ts'
import { readAccounts, type RawAccount } from '../../adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import type { SwapRoute } from '../../ports/swap-market.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { tokenOf, type TradeAccounts } from './trade-accounts.ts'

/** The address of Jupiter's aggregator, version 6. The admin signs swaps only for this program. */
export const JUPITER_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address

const refuse = (reason: string): never => {
  throw new OperatorError(
    `the route is refused: ${reason}; nothing was signed. Run the command again. If this happens repeatedly, don't use this market`,
  )
}

/**
 * Checks the market's instruction before it becomes part of a transaction that the admin signs. The guards of
 * `tradeInstructions` limit what the instruction can do to the accounts of the trade. This check makes sure that the
 * instruction can't touch the pool or the admin's other accounts.
 * @throws OperatorError if the route is refused.
 */
export async function checkRoute(
  nodes: readonly [ChainRpc, ...ChainRpc[]],
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
  const pool = await poolAccounts(program, [sell.mint, buy.mint])
  if (accounts.some(({ address }) => pool.includes(address))) refuse('it names the pool')
  if (!own.every((one) => accounts.some(({ address }) => address === one))) {
    refuse("it doesn't trade between the admin's own accounts")
  }
  if (wantsMore || !creates.every((one) => own.includes(one))) {
    refuse('it needs more than the swap itself')
  }
  // All accounts are checked, including those that the swap's instruction marks as read-only. The swap may change such
  // an account if another instruction of the transaction marks it as writable. Some rights need only read access: an
  // authority freezes a token account without writing to the mint.
  const others = accounts
    .map(({ address }) => address)
    .filter((one) => ![owner, ...own].includes(one) && !KNOWN.has(one))
  // The accounts are read from every node that responds, because a single node could hide an account.
  const [rpc, ...witnesses] = nodes
  const options = { commitment: 'confirmed' } as const
  const read = [
    await readAccounts(rpc, others, options),
    ...(await fromEach(witnesses, (one) => readAccounts(one, others, options))),
  ].flatMap(({ accounts: shown }) => shown)
  if (read.some((one) => isOf(one, owner, program))) {
    refuse('it names another account of the admin, or a mint that the admin controls')
  }
}

/** Programs that every route names. They aren't read, because they are large and give the owner no rights. */
const KNOWN: ReadonlySet<Address> = new Set([
  ...[JUPITER_PROGRAM, TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM_ADDRESS],
])

/**
 * The addresses of the pool's program and of the accounts that the trade's own instructions name. A swap can call the
 * program only if the program is among the swap's accounts.
 */
async function poolAccounts(program: Address, mints: readonly Address[]): Promise<Address[]> {
  const ofMints = mints.flatMap((mint) => [
    assetAddress(program, mint),
    vaultAddress(program, mint),
  ])
  return [program, ...(await Promise.all([poolAddress(program), ...ofMints]))]
}

/**
 * True if an account belongs to the pool's program or gives the owner rights. Two kinds of accounts give the owner
 * rights. The first kind is a token account that the owner owns, may spend from or may close. The second kind is any
 * other account that contains the owner's address, such as a mint or a stake account.
 */
function isOf(account: RawAccount | undefined, owner: Address, program: Address): boolean {
  if (account === undefined) return false
  if (account.owner === program) return true
  const token = tokenOf(account)
  if (token === undefined) {
    return Buffer.from(account.data).includes(Buffer.from(addressBytes(owner)))
  }
  const given = [token.delegate, token.closeAuthority]
  return token.owner === owner || given.some((one) => isSome(one) && one.value === owner)
}
