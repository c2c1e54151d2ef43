import { isAddress as reads, type Address } from '@sotto/protocol'

/** Bounds memory: a few hundred KB. */
const KNOWN_MAX = 2_000
/** Texts that were found to be addresses, which those of one user are again and again. */
const known = new Set<string>()

/** True where a text is the one way to write 32 bytes in base58; remembers those that were. */
export function isAddress(text: string): text is Address {
  if (known.has(text)) return true
  if (!reads(text)) return false
  if (known.size >= KNOWN_MAX) known.clear()
  known.add(text)
  return true
}
