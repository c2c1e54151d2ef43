import type { Address } from '@solana/kit'
import { getAddressDecoder } from '@solana/kit'
import type { Account } from './account.ts'
import type { AddressTableLookup } from './decoded-transaction.ts'

/**
 * The size of the fixed header of a lookup table's account. The addresses follow the header (address-lookup-table
 * interface).
 */
const TABLE_HEAD_BYTES = 56
const ADDRESS_BYTES = 32

export interface LoadedAddresses {
  readonly writable: readonly Address[]
  readonly readonly: readonly Address[]
}

const addresses = getAddressDecoder()

/**
 * Resolves lookups as the runtime does: first all writable addresses, then all read-only ones. The result omits an
 * index outside its table. The runtime refuses a transaction with that index anyway.
 */
export function resolveLookups(
  lookups: readonly AddressTableLookup[],
  readAccount: (address: Address) => Account | null,
): LoadedAddresses {
  const writable: Address[] = []
  const readonly: Address[] = []
  for (const lookup of lookups) {
    const data = readAccount(lookup.table)?.data ?? new Uint8Array()
    const entry = (index: number) => readEntry(data, index)
    writable.push(...lookup.writableIndexes.flatMap(entry))
    readonly.push(...lookup.readonlyIndexes.flatMap(entry))
  }
  return { writable, readonly }
}

function readEntry(data: Uint8Array, index: number): Address[] {
  const start = TABLE_HEAD_BYTES + index * ADDRESS_BYTES
  if (start + ADDRESS_BYTES > data.length) return []
  return [addresses.decode(data, start)]
}
