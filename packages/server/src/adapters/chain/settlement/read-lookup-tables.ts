import { getAddressDecoder } from '@solana/kit'
import type { Address } from '@sotto/protocol'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import type { LookupTables } from './compile-transaction.ts'

const TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
/** Length of a table's fixed head. The addresses follow the head. */
const HEAD_BYTES = 56
const ADDRESS_BYTES = 32

/**
 * Reads the addresses in these lookup tables. A compiled transaction names them by their positions in the table, which
 * never change. Accounts that aren't tables are omitted.
 */
export async function readLookupTables(
  rpc: ChainRpc,
  tables: readonly Address[],
): Promise<LookupTables> {
  // An address can't be used in the slot that adds it to a table, so the tables are read at finality.
  const { accounts } = await readAccounts(rpc, tables, { commitment: 'finalized' })
  const entries = accounts.flatMap((account, index): [Address, Address[]][] => {
    const table = tables[index]
    return table === undefined || account?.owner !== TABLE_PROGRAM
      ? []
      : [[table, addressesIn(account.data)]]
  })
  return Object.fromEntries(entries)
}

function addressesIn(data: Uint8Array): Address[] {
  const decoder = getAddressDecoder()
  const count = Math.floor((data.length - HEAD_BYTES) / ADDRESS_BYTES)
  return Array.from({ length: Math.max(0, count) }, (_, index) =>
    decoder.decode(data, HEAD_BYTES + index * ADDRESS_BYTES),
  )
}
