import { isAddress as reads, type Address } from '@sotto/protocol'

/** Maximum number of cached texts. The cache then takes at most a few hundred KB. */
const KNOWN_MAX = 2_000
/** Cache of texts that are valid addresses, because a user's addresses are checked repeatedly. */
const known = new Set<string>()

/** True if a text is the canonical base58 form of 32 bytes. Caches valid texts. */
export function isAddress(text: string): text is Address {
  if (known.has(text)) return true
  if (!reads(text)) return false
  if (known.size >= KNOWN_MAX) known.clear()
  known.add(text)
  return true
}
