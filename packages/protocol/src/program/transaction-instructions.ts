import { getBase58Encoder, type Address } from '@solana/kit'
import { decodeDeposit, type DepositData } from './instructions/deposit.ts'
import { decodeSettle, type Settlement } from './instructions/settle.ts'

/** One instruction that ran, called by the transaction or by another program. */
export interface RanInstruction {
  readonly program: Address
  readonly accounts: readonly Address[]
  readonly data: Uint8Array
}

interface IndexedInstruction {
  readonly programIdIndex: number
  readonly accounts: readonly number[]
  /** base58 */
  readonly data: string
}

/** The parts of `getTransaction` with encoding `json` that say what ran. */
export interface TransactionRecord {
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly Address[]
      readonly instructions: readonly IndexedInstruction[]
    }
  }
  readonly meta: {
    readonly err: unknown
    readonly innerInstructions?:
      | readonly { readonly index: number; readonly instructions: readonly IndexedInstruction[] }[]
      | null
    readonly loadedAddresses?: {
      readonly writable: readonly Address[]
      readonly readonly: readonly Address[]
    } | null
  } | null
}

/**
 * Everything a landed transaction ran, in order, inner instructions behind the one that called them.
 * Instruction data and never logs: logs truncate (I9). A failed transaction ran nothing.
 */
export function instructionsOf(record: TransactionRecord): RanInstruction[] {
  const { message } = record.transaction
  if (record.meta === null || record.meta.err !== null) return []
  const loaded = record.meta.loadedAddresses
  const keys = [...message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])]
  const key = (index: number): Address => {
    const found = keys[index]
    if (found === undefined) throw new Error('a transaction names an account it does not list')
    return found
  }
  const decode = (instruction: IndexedInstruction): RanInstruction => ({
    program: key(instruction.programIdIndex),
    accounts: instruction.accounts.map(key),
    data: new Uint8Array(getBase58Encoder().encode(instruction.data)),
  })
  const inner = new Map(
    (record.meta.innerInstructions ?? []).map(({ index, instructions }) => [index, instructions]),
  )
  return message.instructions.flatMap((instruction, index) => [
    decode(instruction),
    ...(inner.get(index) ?? []).map(decode),
  ])
}

/** The deposits of `program` that a transaction made, in the order of their leaves. */
export function depositsOf(program: Address, record: TransactionRecord): DepositData[] {
  return instructionsOf(record)
    .filter((instruction) => instruction.program === program)
    .flatMap(({ data, accounts }) => decodeDeposit(data, accounts) ?? [])
}

/** The settlements of `program` that a transaction made. */
export function settlementsOf(program: Address, record: TransactionRecord): Settlement[] {
  return instructionsOf(record)
    .filter((instruction) => instruction.program === program)
    .flatMap(({ data }) => decodeSettle(data) ?? [])
}
