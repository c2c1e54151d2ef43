import type { Justified } from './determined-wires.ts'

// circomlib's EdDSA verifier computes points by divisions: quotient · divisor = dividend. If both divisor and dividend
// were zero, the prover could choose the quotient, and so the point and the signature. Each class below gives the
// reason why this can't happen. l is the subgroup's order, a prime of 251 bits.
const QUOTIENTS: [pattern: RegExp, reason: string][] = [
  [
    /\.(dbl[123]|dbl[123]\.adder|addRight|mulAny\.adders\[0\]|mulAny\.segments\[\d\]\.eadder|mulFix\.adders\[0\]|mulFix\.segments\[\d\]\.cAdd)\.[xy]out$|\.mulFix\.adders\[0\]\.[xy][12]$|\.eqCheck[XY]\.in\[0\]$/,
    'An addition in Edwards coordinates divides by 1 ± d·x1·x2·y1·y2. Because a is a square and d isn’t, this ' +
      'divisor is never zero for points on the curve. BabyCheck requires that R8 and the owner are on ' +
      'the curve. The base point, which may replace the owner, is on it too. All other points are sums of these.',
  ],
  [
    /\.mulAny\.segments\[\d\]\.(e2m\.out|bits\[0\]\.dblIn)\[[01]\]$/,
    'From Edwards to Montgomery: divides by 1 - y and by x. One of these is zero only for the identity ' +
      'and the point of order 2. The point is in the subgroup: it is 8 times the owner or, if this product is the ' +
      'identity, the base point. It can also be 2^148 times one of these two points.',
  ],
  [
    /\.mulAny\.(segments\[\d\]\.bits\[\d+\]\.doubler|doublers\[0\])\.lamda$/,
    'Doubling in Montgomery coordinates: divides by 2·B·v, and v is zero only for the point of order 2, ' +
      'which isn’t in the subgroup.',
  ],
  [
    /\.mulAny\.segments\[\d\]\.bits\[\d+\]\.adder\.lamda$/,
    'Adds 2^i times the point to k times the point, with k odd and below 2^i, and i below 148. So ' +
      '0 < 2^i - k and 2^i + k < l: the two points are neither equal nor opposite, and their u differ.',
  ],
  [
    /\.mulAny\.((segments\[\d\]\.m2e|m2e\[0\])\.out\[[01]\]|segments\[\d\]\.eadder\.[xy]1)$/,
    'From Montgomery to Edwards: divides by v, which is zero only for the point of order 2, and by u + 1. The ' +
      'curve has no point with u = -1: there v² would be (A - 2) / B = d, which is not a square. The sums are ' +
      'k times the point with 0 < k < l, so none is the identity.',
  ],
  [
    /\.mulFix\.segments\[\d\]\.adders\[\d+\]\.lamda$/,
    'Adds (1 + digit)·8^w times the base to the sum so far. For n windows, the sum is at least 2·8^n times the ' +
      'base. So the sum minus the added multiple is more than 0 and less than l (a test computes these bounds), ' +
      'and the two points are never equal. If they are opposite, quotient · 0 = -2v has no solution at all.',
  ],
  [
    /\.mulFix\.((segments\[\d\]\.m2e|m2e\[0\])\.out\[[01]\]|segments\[\d\]\.cAdd\.[xy]1)$/,
    'From Montgomery to Edwards, as above; the addition before this conversion refuses an identity.',
  ],
]

/**
 * The 254 bits of the challenge. Two numbers of 254 bits may be equal modulo the field's order. circomlib's AliasCheck
 * accepts only the bits of the number below this order.
 */
const STRICT_BIT = /\.h2bits\.out\[\d+\]$/

const VERIFIER = /^main\.OwnerSignature_\w+\.EdDSAPoseidonVerifier_\w+\./

// The compiler keeps only one name for each wire. So a class also lists the other names of its quotients.

/** Says which of the verifier's wires are quotients and which are strict bits. It finds them by their names. */
export function justify(symbols: ReadonlyMap<string, number>): Justified & { unused: string[] } {
  const names = [...symbols.keys()].filter((name) => VERIFIER.test(name))
  const wiresOf = (pattern: RegExp) =>
    names.filter((name) => pattern.test(name)).map((name) => symbols.get(name)!)
  const quotients = new Set(QUOTIENTS.flatMap(([pattern]) => wiresOf(pattern)))
  const strict = new Set(wiresOf(STRICT_BIT))
  return {
    isQuotient: (wire) => quotients.has(wire),
    isStrictBit: (wire) => strict.has(wire),
    unused: QUOTIENTS.filter(([pattern]) => wiresOf(pattern).length === 0).map(String),
  }
}
