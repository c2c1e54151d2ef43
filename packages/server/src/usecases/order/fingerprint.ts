import { canonicalJson } from '../../domain/canonical-json.ts'
import { areSameBytes } from '../../domain/same-bytes.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'

const MAC_BYTES = 32

/**
 * Two HMACs: one of the received quote, and one of the rest of the body. They are compared with the HMACs of a retry.
 * Two HMACs are needed to distinguish a changed quote from changed terms. The formatting of the JSON has no influence.
 */
export function fingerprintOf(
  secrets: EpochSecrets,
  received: Readonly<Record<string, unknown>>,
): Uint8Array {
  const { quote, ...rest } = received
  const fingerprint = new Uint8Array(2 * MAC_BYTES)
  fingerprint.set(secrets.fingerprint(canonicalJson(quote)))
  fingerprint.set(secrets.fingerprint(canonicalJson(rest)), MAC_BYTES)
  return fingerprint
}

/** Compares two fingerprints. If both parts differ, the result is `quote_differs`. */
export function compareFingerprints(
  known: Uint8Array,
  received: Uint8Array,
): 'equal' | 'quote_differs' | 'terms_differ' {
  const isSame = (from: number, to: number) =>
    areSameBytes(known.subarray(from, to), received.subarray(from, to))
  if (!isSame(0, MAC_BYTES)) return 'quote_differs'
  return isSame(MAC_BYTES, 2 * MAC_BYTES) ? 'equal' : 'terms_differ'
}
