import type { TransactionRecord } from '@sotto/protocol'
import { getBase58Decoder, type Address } from '@solana/kit'

const BASE58 = getBase58Decoder()

export interface Instruction {
  readonly programAddress: Address
  readonly accounts?: readonly { readonly address: Address }[]
  readonly data?: Iterable<number>
}

/** A transaction as a node returns it with encoding `json`. */
export function recordOf(
  payer: Address,
  instructions: readonly Instruction[],
  slot: number,
  err: object | null,
): object {
  const named = instructions.flatMap(({ programAddress, accounts = [] }) => [
    programAddress,
    ...accounts.map(({ address }) => address),
  ])
  const accountKeys = [...new Set([payer, ...named])]
  const record: TransactionRecord & { slot: number } = {
    slot,
    transaction: {
      message: {
        accountKeys,
        instructions: instructions.map(({ programAddress, accounts = [], data = [] }) => ({
          programIdIndex: accountKeys.indexOf(programAddress),
          accounts: accounts.map(({ address }) => accountKeys.indexOf(address)),
          data: BASE58.decode(new Uint8Array([...data])),
        })),
      },
    },
    meta: { err, innerInstructions: [], loadedAddresses: { writable: [], readonly: [] } },
  }
  return record
}
