import { getI64Decoder, type Address, type ReadonlyUint8Array } from '@solana/kit'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { SYSVAR_PROGRAM, TOKEN_2022_PROGRAM } from '../constants.ts'
import {
  decodeAsset,
  decodeNullifier,
  decodeOrder,
  decodePool,
  decodeTree,
  decodeTreeHeader,
} from './accounts.ts'
import { unixSeconds, type UnixSeconds } from '../units.ts'

/** An account as a node returns it. */
export interface ShownAccount {
  readonly owner: Address
  readonly data: ReadonlyUint8Array
}

/**
 * Returns a function that decodes an account if the program owns it. Anyone can send lamports to an address before the
 * program uses the address. Such an account has no data and belongs to the system program, so the function returns
 * undefined for it.
 */
const reader =
  <T>(decode: (data: ReadonlyUint8Array) => T) =>
  (program: Address, account: ShownAccount | undefined): T | undefined =>
    account?.owner === program ? decode(account.data) : undefined

/** The Pool; undefined if the program owns no account there. @throws Error if the account has a different kind. */
export const shownPool = reader(decodePool)
/** The Tree; undefined if the program owns no account there. @throws Error if the account has a different kind. */
export const shownTree = reader(decodeTree)
/** An Asset; undefined if the program owns no account there. @throws Error if the account has a different kind. */
export const shownAsset = reader(decodeAsset)
/** An Order; undefined if the program owns no account there. @throws Error if the account has a different kind. */
export const shownOrder = reader(decodeOrder)
/** A Nullifier; undefined if the program owns no account there. @throws Error if the account has a different kind. */
export const shownNullifier = reader(decodeNullifier)
/**
 * A Tree's first `TREE_HEADER_BYTES`; undefined if the program owns no account there.
 * @throws Error if the account has another kind.
 */
export const shownTreeHeader = reader(decodeTreeHeader)

const CLOCK_UNIX_OFFSET = 32
const CLOCK_BYTES = 40

/**
 * The chain's time from the Clock sysvar, in seconds since 1970. @throws Error if the account isn't the Clock sysvar.
 */
export function shownClock(account: ShownAccount | undefined): UnixSeconds {
  if (account?.owner !== SYSVAR_PROGRAM || account.data.length < CLOCK_BYTES) {
    throw new Error("the node did not show the chain's clock")
  }
  return unixSeconds(getI64Decoder().decode(account.data, CLOCK_UNIX_OFFSET))
}

/** Offsets of a mint's decimals and of its flag `is_initialized`, which are the same for both token programs. */
const [DECIMALS_OFFSET, INITIALISED_OFFSET] = [44, 45]
const MINT_BYTES = 82
/**
 * In accounts with extensions, Token-2022 writes the kind of account at this offset. The offset equals the size of a
 * token account without extensions.
 */
const [KIND_OFFSET, MINT_KIND] = [165, 1]

/** The properties of a mint, as its account states them. */
export interface ShownMint {
  readonly tokenProgram: Address
  readonly decimals: number
}

/** Reads a mint of either token program from its whole account. Undefined if the account is anything else. */
export function shownMint(account: ShownAccount | undefined): ShownMint | undefined {
  if (account === undefined) return undefined
  const { owner, data } = account
  const is2022 = owner === TOKEN_2022_PROGRAM
  if (!is2022 && owner !== TOKEN_PROGRAM_ADDRESS) return undefined
  const isMint = data.length === MINT_BYTES || (is2022 && data[KIND_OFFSET] === MINT_KIND)
  const decimals = data[DECIMALS_OFFSET]
  if (!isMint || decimals === undefined || data[INITIALISED_OFFSET] !== 1) return undefined
  return { tokenProgram: owner, decimals }
}

/** Length of the data of a multisig account. Both token programs recognise a multisig account by this length. */
const MULTISIG_BYTES = 355

/**
 * True for a token account and for a mint: no one could use tokens that such an account owns. False for a multisig
 * account, whose signers can use its tokens.
 */
export function isOfTokenProgram(account: ShownAccount | undefined): boolean {
  if (account === undefined || account.data.length === MULTISIG_BYTES) return false
  return account.owner === TOKEN_PROGRAM_ADDRESS || account.owner === TOKEN_2022_PROGRAM
}
