import { isAddress as reads, type Address } from '@sotto/protocol'

/** Bounds memory: a few hundred KB. */
const KNOWN_MAX = 2_000
/** Texts that are known to be addresses, because a user's addresses are checked repeatedly. */
const known = new Set<string>()

/** True if a text is the canonical base58 form of 32 bytes; remembers valid ones. */
export function isAddress(text: string): text is Address {
  if (known.has(text)) return true
  if (!reads(text)) return false
  if (known.size >= KNOWN_MAX) known.clear()
  known.add(text)
  return true
}
