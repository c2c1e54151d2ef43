import type { QuoteResponse } from '@sotto/sdk/server'

type Suggestion = NonNullable<QuoteResponse['suggestions']>[number]

interface Shown {
  readonly arriving: (units: string) => string
  /** Formats an amount that is paid. Set if the request fixes the amount that is paid. */
  readonly paid: ((units: string) => string) | undefined
}

/** The suggested amounts, which others also send. Each is on its own line, with the number of others. */
export function showSuggestions(
  suggestions: readonly Suggestion[],
  { arriving, paid }: Shown,
): string[] {
  if (suggestions.length === 0) return []
  const lines = suggestions.map((one) => {
    const pays = paid === undefined ? '' : `, if ${paid(one.amount)} is paid`
    return `${arriving(one.amountOut)}${pays}: sent by ${showCrowd(one)}`
  })
  return [ONLY_EQUAL, ...lines]
}

const ONLY_EQUAL =
  'Send one of these amounts. Only payments of the same amount hide yours, and others send these now.'

/** The anonymity set of an amount, in words. */
function showCrowd({ anonymitySet }: Suggestion): string {
  const others = anonymitySet - 1
  return others === 1 ? 'at least 1 other' : `at least ${others} others`
}
