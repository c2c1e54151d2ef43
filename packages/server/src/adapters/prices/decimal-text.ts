const DECIMAL = /^(-?)([0-9]{1,40})(?:\.([0-9]{1,60}))?(?:[eE]([+-]?[0-9]{1,2}))?$/

/**
 * True if a decimal such as `0.0012` or `1.2e-3` is at most `bound / 10^places`, compared exactly. Returns false if the
 * text isn't a decimal.
 */
export function isAtMost(text: string, bound: bigint, places: number): boolean {
  const found = DECIMAL.exec(text)
  if (found === null) return false
  const [, sign, whole = '', fraction = '', exponent = '0'] = found
  if (sign === '-') return true
  const value = BigInt(whole + fraction)
  // Compares value * 10^power with bound.
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(places)
  return power >= 0n ? value * 10n ** power <= bound : value <= bound * 10n ** -power
}
