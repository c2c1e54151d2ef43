import { BALANCE_SECONDS_MAX } from '../../domain/balance.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { areSameBytes } from '../../domain/same-bytes.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'

const MAC_BYTES = 32

type Members = Readonly<Record<string, unknown>>

/** The members of a request that may be omitted, with the values that they then have. */
const defaultsOf = (terms: Members): Members => ({
  feeBps: 0,
  ...(terms['balanceKey'] === undefined
    ? {}
    : { balanceSeconds: BALANCE_SECONDS_MAX, autoReturn: true }),
})

/**
 * All ways to write the same terms: the terms as received, and all variants in which members with their default values
 * are omitted or added.
 */
function spellingsOf(terms: Members): Members[] {
  const spellings = [terms]
  for (const [name, value] of Object.entries(defaultsOf(terms))) {
    const sent = terms[name]
    if (sent !== undefined && sent !== value) continue
    for (const spelling of [...spellings]) {
      const { [name]: _, ...rest } = spelling
      spellings.push(sent === undefined ? { ...rest, [name]: value } : rest)
    }
  }
  return spellings
}

function joined(macs: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(macs.length * MAC_BYTES)
  macs.forEach((mac, index) => bytes.set(mac, index * MAC_BYTES))
  return bytes
}

/**
 * The fingerprint of a new order: two HMACs, one of the received quote, and one of the rest of the body. Two HMACs are
 * needed to distinguish a changed quote from changed terms. The formatting of the JSON doesn't change them.
 */
export function storedFingerprint(secrets: EpochSecrets, received: Members): Uint8Array {
  const { quote, ...terms } = received
  return joined([quote, terms].map((part) => secrets.fingerprint(canonicalJson(part))))
}

/**
 * The fingerprint of a retry: an HMAC of the received quote, and one HMAC of each way to write the rest of the body.
 * The defaults are added here and not to the stored fingerprint, so that orders of earlier versions are found too.
 */
export function fingerprintOf(secrets: EpochSecrets, received: Members): Uint8Array {
  const { quote, ...terms } = received
  const parts = [quote, ...spellingsOf(terms)]
  return joined(parts.map((part) => secrets.fingerprint(canonicalJson(part))))
}

/**
 * Compares an order's fingerprint with the fingerprint of a retry. If both parts differ, the result is `quote_differs`.
 */
export function compareFingerprints(
  known: Uint8Array,
  received: Uint8Array,
): 'equal' | 'quote_differs' | 'terms_differ' {
  const macAt = (index: number) => received.subarray(index * MAC_BYTES, (index + 1) * MAC_BYTES)
  if (!areSameBytes(known.subarray(0, MAC_BYTES), macAt(0))) return 'quote_differs'
  const terms = known.subarray(MAC_BYTES)
  for (let index = 1; index * MAC_BYTES < received.length; index += 1) {
    if (areSameBytes(terms, macAt(index))) return 'equal'
  }
  return 'terms_differ'
}
