import { isAddress, parseAmount, type Address } from '@sotto/protocol'
import type { Target } from '../domain/inventory-trades.ts'

const SHARE = /^([0-9]{1,3})(?:\.([0-9]{1,2}))?%$/
const WHOLE_BPS = 10_000n

function parseTarget(text: string): [Address, Target] | undefined {
  const [mint = '', given = '', ...rest] = text.trim().split('=')
  if (!isAddress(mint) || rest.length > 0) return undefined
  const share = SHARE.exec(given)
  if (share !== null) {
    const [, whole = '', part = ''] = share
    return [mint, { kind: 'share', bps: BigInt(whole + part.padEnd(2, '0')) }]
  }
  const units = parseAmount(given)
  return units === undefined ? undefined : [mint, { kind: 'amount', amount: units }]
}

/**
 * Parses `mint=40%,mint=60%`, or `mint=1000000,mint=5000000` in base units. Returns undefined if an asset is named
 * twice. The values must all be amounts, or all be shares that add up to 100 %; otherwise the result is undefined too.
 */
export function parseTargets(text: string): ReadonlyMap<Address, Target> | undefined {
  const parsed = text.split(',').map(parseTarget)
  const known = parsed.filter((one) => one !== undefined)
  const targets = new Map(known)
  if (targets.size !== parsed.length) return undefined
  const shares = [...targets.values()].flatMap((one) => (one.kind === 'share' ? [one.bps] : []))
  if (shares.length === 0) return targets
  const isWhole = shares.reduce((sum, bps) => sum + bps, 0n) === WHOLE_BPS
  return shares.length === targets.size && isWhole ? targets : undefined
}
