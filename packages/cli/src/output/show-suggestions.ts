import type { QuoteResponse } from '@sotto/sdk/server'

type Suggestion = NonNullable<QuoteResponse['suggestions']>[number]

interface Shown {
  readonly arriving: (units: string) => string
  /** Set if the request fixes the amount that is paid. */
  readonly paid: ((units: string) => string) | undefined
}

/** The other amounts that the service suggests, as rows of a table, each with its anonymity set. */
export function showSuggestions(
  { suggestions = [] }: Pick<QuoteResponse, 'suggestions'>,
  { arriving, paid }: Shown,
): (readonly [string, string])[] {
  return suggestions.map((one, index) => {
    const pays = paid === undefined ? '' : `, if ${paid(one.amount)} is paid`
    return [
      index === 0 ? 'others send too' : '',
      `${arriving(one.amountOut)}${pays}: ${showCrowd(one)}`,
    ] as const
  })
}

/** The anonymity set of an amount, in words. */
function showCrowd({ anonymitySet, linkProbability }: Suggestion): string {
  if (anonymitySet > 1) return `one of ${anonymitySet} wallets`
  return linkProbability === '1' ? 'no other wallet yet' : 'too few other wallets to rely on'
}
