import type { Token } from '@sotto/sdk/server'
import { showAmount } from '../../look/amounts.ts'
import type { Problem } from '../model/problems.ts'

const SOL_DECIMALS = 9

/** The bounds of an amount, in the unit in which the person typed it. */
export function boundsText({ title, bounds }: Problem, token: Token | undefined): string {
  if (bounds === undefined || token === undefined) return title
  const [min, max] = [bounds.min, bounds.max].map((base) => showAmount(base, token.decimals))
  return `${title} Enter between ${min} and ${max} ${token.symbol}.`
}

/** The amounts that the wallet lacks, in words; undefined if the wallet has enough. */
export function lackText(
  source: Token,
  missing: { readonly native: bigint; readonly source: bigint },
): string | undefined {
  const parts = [
    ...(missing.source > 0n
      ? [`${showAmount(missing.source, source.decimals)} ${source.symbol}`]
      : []),
    ...(missing.native > 0n ? [`${showAmount(missing.native, SOL_DECIMALS)} SOL`] : []),
  ]
  if (parts.length === 0) return undefined
  return `Your wallet lacks ${parts.join(' and ')} for this. Pay less, or add the missing amount to the wallet.`
}
