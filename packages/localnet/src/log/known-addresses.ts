import type { Address } from '@solana/kit'
import { getAddressDecoder } from '@solana/kit'

export const ADDRESS_BYTES = 32

/**
 * Maximum number of cached addresses, about ten megabytes. A few addresses occur often in a log. Each of the many other
 * addresses occurs only a few times, in records that are close together.
 */
const MAX_KNOWN = 50_000

const decoder = getAddressDecoder()
const known = new Map<string, Address>()

/**
 * Reads an address. Without a cache, encoding addresses in base58 would take most of the time of a replay. The cache
 * also keeps only one copy of each address in memory.
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
