import { readDecimal, type Amount } from '@sotto/protocol'

/** An amount in base units, or the reason why the text isn't an amount. */
export type ReadAmount =
  | { readonly kind: 'amount'; readonly amount: Amount }
  | { readonly kind: 'malformed' | 'too_precise' | 'too_large' }

/**
 * Matches ASCII digits with at most one decimal point. Other notations, such as grouped thousands and spaces, are
 * refused, because they can be misread and programs don't need them.
 */
const PLAIN = /^(?:0|[1-9][0-9]{0,19})(?:\.[0-9]{1,20})?$/

/** Converts an amount in whole coins to base units, exactly. */
export function readAmount(text: string, decimals: number): ReadAmount {
  if (!PLAIN.test(text)) return { kind: 'malformed' }
  const read = readDecimal(text, decimals)
  switch (read.kind) {
    case 'amount':
      return read
    case 'too_precise':
    case 'too_large':
      return { kind: read.kind }
    case 'ambiguous':
    case 'empty':
    case 'malformed':
      return { kind: 'malformed' }
  }
}
