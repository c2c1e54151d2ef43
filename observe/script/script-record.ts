import { getBase58Decoder, type Address, type Instruction } from '@solana/kit'

/** A transaction in the form in which a node lists and shows it. */
export interface ScriptRecord {
  readonly signature: string
  readonly slot: number
  /** The block's time, in seconds since 1970. */
  readonly seconds: number
  /** The error with which the transaction failed in its block; null if it succeeded. */
  readonly err: object | null
  /** The result of `getTransaction` with the encoding `json`. */
  readonly transaction: object
}

const base58 = getBase58Decoder()

/** Builds the record of a transaction with these instructions. */
export function recordOf({
  slot,
  seconds,
  payer,
  instructions,
  signature: bytes,
  err = null,
}: {
  readonly slot: number
  readonly seconds: number
  readonly payer: Address
  readonly instructions: readonly Instruction[]
  readonly signature: Uint8Array
  readonly err?: object | null
}): ScriptRecord {
  const accountKeys: Address[] = [payer]
  const placeOf = (account: Address): number => {
    const known = accountKeys.indexOf(account)
    return known >= 0 ? known : accountKeys.push(account) - 1
  }
  const compiled = instructions.map(({ programAddress, accounts = [], data }) => ({
    programIdIndex: placeOf(programAddress),
    accounts: accounts.map(({ address }) => placeOf(address)),
    data: base58.decode(data ?? new Uint8Array()),
  }))
  const signature = base58.decode(bytes)
  const meta = { err, innerInstructions: [], loadedAddresses: { writable: [], readonly: [] } }
  const message = { accountKeys, instructions: compiled }
  return {
    ...{ signature, slot, seconds, err },
    transaction: {
      ...{ slot, blockTime: seconds, meta, version: 0 },
      transaction: { signatures: [signature], message },
    },
  }
}
