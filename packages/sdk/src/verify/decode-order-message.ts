import {
  AccountRole,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type Address,
  type AccountMeta,
} from '@solana/kit'
import { refuse } from './refusal.ts'

export interface DecodedInstruction {
  readonly program: Address
  readonly accounts: readonly AccountMeta[]
  readonly data: Uint8Array
}

/** The content of a message for a wallet to sign. */
export interface DecodedMessage {
  readonly instructions: readonly DecodedInstruction[]
  /** Every listed account with its role. The fee payer is the first account. */
  readonly accounts: readonly AccountMeta[]
  readonly blockhash: string
}

export function isSameBytes(left: ArrayLike<number>, right: ArrayLike<number>): boolean {
  if (left.length !== right.length) return false
  for (let index = 0; index < left.length; index += 1) {
    if (left[index] !== right[index]) return false
  }
  return true
}

/**
 * Reads a version-0 message. Refuses a message with lookup tables, and bytes that another decoder could interpret
 * differently.
 * @throws OrderRefusedError.
 */
export function decodeOrderMessage(bytes: Uint8Array): DecodedMessage {
  let message
  try {
    message = getCompiledTransactionMessageDecoder().decode(bytes)
    const again = getCompiledTransactionMessageEncoder().encode(message)
    if (!isSameBytes(again, bytes)) throw new Error('extra or non-canonical bytes in the message')
  } catch (cause) {
    return refuse('transaction', 'the transaction cannot be read', cause)
  }
  if (message.version !== 0) return refuse('transaction', 'the transaction is not of version 0')
  if ((message.addressTableLookups ?? []).length > 0) {
    return refuse('lookup_table', 'the transaction hides accounts in a lookup table')
  }
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } =
    message.header
  const { staticAccounts } = message
  const isWritable = (index: number): boolean =>
    index < numSignerAccounts
      ? index < numSignerAccounts - numReadonlySignerAccounts
      : index < staticAccounts.length - numReadonlyNonSignerAccounts
  const accounts = staticAccounts.map((address, index) => ({
    address,
    role: roleOf(index < numSignerAccounts, isWritable(index)),
  }))
  const account = (index: number): AccountMeta =>
    accounts[index] ??
    refuse('transaction', 'an instruction refers to an account that is not listed')
  return {
    accounts,
    blockhash: message.lifetimeToken,
    instructions: message.instructions.map((instruction) => ({
      program: account(instruction.programAddressIndex).address,
      accounts: (instruction.accountIndices ?? []).map(account),
      data: new Uint8Array(instruction.data ?? []),
    })),
  }
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY
}
