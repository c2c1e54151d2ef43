import type { Address } from '@solana/kit'
import { getAddressDecoder } from '@solana/kit'

export const ADDRESS_BYTES = 32

/** Most cached addresses: some ten megabytes. A log names few addresses often, and many a few times in a row. */
const MAX_KNOWN = 50_000

const decoder = getAddressDecoder()
const known = new Map<string, Address>()

/**
 * Reads an address. Base58 would take most of the time of replaying a log, so addresses are cached. So each address is
 * also in memory only once.
 */
export function readAddress(buffer: Buffer, offset: number): Address {
  const bytes = buffer.toString('latin1', offset, offset + ADDRESS_BYTES)
  const found = known.get(bytes)
  if (found !== undefined) return found
  if (known.size >= MAX_KNOWN) known.clear()
  const address = decoder.decode(buffer, offset)
  known.set(bytes, address)
  return address
}
