import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import {
  AccountState,
  getTokenDecoder,
  getTokenSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { isKeyless, TOKEN_2022_PROGRAM, type Address } from '@sotto/protocol'
import type { PayeeState } from '../../../ports/settlement-chain.ts'
import type { RawAccount } from '../../rpc/read-accounts.ts'

// These rules decide which accounts can be paid. They follow the program (`program/src/guards/payee.rs` and
// `token.rs`), the runtime, and the token programs that the program calls. Without these rules, a settlement to an
// account that can't be paid would fail only after its proof was made. A test compares each rule with the program
// itself.

const IS_TOKEN_ACCOUNT = 2
const MEMO_TRANSFER = 8
/** Length of a multisig account's data. Both token programs recognise a multisig account by this length. */
const MULTISIG_BYTES = 355

/** True for an account that belongs to a token program, such as a token account, a mint or a multisig. */
export const isOfTokenPrograms = ({ owner }: RawAccount): boolean =>
  owner === TOKEN_PROGRAM_ADDRESS || owner === TOKEN_2022_PROGRAM

/** Determines whether a wallet can receive lamports from the program's pool. */
export function walletState(
  account: RawAccount | undefined,
  of: { readonly wallet: Address; readonly program: Address },
): PayeeState {
  // In an older runtime, no transaction can change an executable account's balance. So such an account can't be paid.
  if (isKeyless(of.wallet, account, of.program)) return 'blocked'
  if (account === undefined) return 'absent'
  return isOfTokenPrograms(account) ? 'blocked' : 'payable'
}

/** Determines whether a wallet's associated account can receive tokens of a mint. */
export function tokenAccountState(
  account: RawAccount | undefined,
  of: { readonly mint: Address; readonly wallet: Address; readonly tokenProgram: Address },
): PayeeState {
  if (account === undefined) return 'absent'
  // Lamports that were sent to the address in advance don't prevent the creation of the token account.
  if (account.owner === SYSTEM_PROGRAM_ADDRESS && account.data.length === 0) return 'absent'
  if (account.owner !== of.tokenProgram || !isTokenAccount(account)) return 'blocked'
  const token = getTokenDecoder().decode(account.data)
  const isTheirs = token.mint === of.mint && token.owner === of.wallet
  const isOpen = token.state === AccountState.Initialized && !asksForMemo(account.data)
  return isTheirs && isOpen ? 'payable' : 'blocked'
}

/**
 * True for a token account. Both token programs share the first bytes. In Token-2022, the account's type and the
 * extensions follow.
 */
function isTokenAccount({ owner, data }: RawAccount): boolean {
  const size = getTokenSize()
  if (data.length === size) return true
  const isExtended = owner === TOKEN_2022_PROGRAM && data.length !== MULTISIG_BYTES
  return isExtended && data[size] === IS_TOKEN_ACCOUNT
}

/**
 * True if the account requires a memo with every transfer. A settlement can't pay such an account, because settlements
 * have no memo.
 */
function asksForMemo(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = getTokenSize() + 1; at + 4 <= data.length;) {
    const [type, size] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    if (type === 0) return false
    if (type === MEMO_TRANSFER) return data[at + 4] === 1
    at += 4 + size
  }
  return false
}
