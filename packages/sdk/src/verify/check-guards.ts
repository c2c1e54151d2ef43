import { AccountRole, address, type AccountMeta } from '@solana/kit'
import {
  decodeOrderMessage,
  isSameBytes,
  type DecodedInstruction,
  type DecodedMessage,
} from './decode-order-message.ts'

/**
 * Lighthouse is a program with assertion instructions. An assertion makes the transaction fail if an account doesn't
 * end up as the wallet predicted.
 */
const LIGHTHOUSE = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95')
/** Phantom appends one guard to a transaction, Solflare appends two. */
const GUARDS_MAX = 2
/**
 * The first and the last of the Lighthouse instructions that only read accounts. Instructions 0 and 1 write memory at
 * the payer's cost, and the instructions from 16 on call other programs.
 */
const ASSERTION_FIRST = 2
const ASSERTION_LAST = 15

/**
 * True if the signed message differs from the verified message only by one or two guards after the deposit. The wallet
 * adds these guards, which can only make the transaction fail. The other instructions, the blockhash and the fee payer
 * must be the same. No signature may be added, and no account may become writable.
 *
 * @throws OrderRefusedError for a message that can't be read, or that has a lookup table.
 */
export function isGuarded(verified: Uint8Array, signed: Uint8Array): boolean {
  const before = decodeOrderMessage(verified)
  const after = decodeOrderMessage(signed)
  const guards = after.instructions.slice(before.instructions.length)
  return (
    guards.length > 0 &&
    guards.length <= GUARDS_MAX &&
    guards.every(isAssertion) &&
    after.blockhash === before.blockhash &&
    before.instructions.every((one, index) => isSameInstruction(one, after.instructions[index])) &&
    isSameAccess(before, after, guards)
  )
}

const isAssertion = ({ program, data: [kind = 0] }: DecodedInstruction): boolean =>
  program === LIGHTHOUSE && kind >= ASSERTION_FIRST && kind <= ASSERTION_LAST

const isSameAccount = (one: AccountMeta, other: AccountMeta | undefined): boolean =>
  one.address === other?.address && one.role === other.role

const isSameInstruction = (
  one: DecodedInstruction,
  other: DecodedInstruction | undefined,
): boolean =>
  other !== undefined &&
  one.program === other.program &&
  isSameBytes(one.data, other.data) &&
  one.accounts.length === other.accounts.length &&
  one.accounts.every((account, index) => isSameAccount(account, other.accounts[index]))

/**
 * True if every account keeps its role and the fee payer is the same. Every new account must be read-only, and only
 * the guards may use it.
 */
function isSameAccess(
  before: DecodedMessage,
  after: DecodedMessage,
  guards: readonly DecodedInstruction[],
): boolean {
  const roles = new Map(after.accounts.map(({ address: listed, role }) => [listed, role]))
  const known = new Set(before.accounts.map(({ address: listed }) => listed))
  const read = new Set([
    LIGHTHOUSE,
    ...guards.flatMap(({ accounts }) => accounts.map((one) => one.address)),
  ])
  const added = after.accounts.filter(({ address: listed }) => !known.has(listed))
  return (
    roles.size === after.accounts.length &&
    after.accounts[0]?.address === before.accounts[0]?.address &&
    before.accounts.every(({ address: listed, role }) => roles.get(listed) === role) &&
    added.every((one) => one.role === AccountRole.READONLY && read.has(one.address))
  )
}
