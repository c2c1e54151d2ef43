import type { QuoteResponse } from '@sotto/sdk/server'

type Suggestion = NonNullable<QuoteResponse['suggestions']>[number]

interface Shown {
  readonly arriving: (units: string) => string
  /** Set if the request fixes the amount that is paid. */
  readonly paid: ((units: string) => string) | undefined
}

/** The other amounts that the service suggests, one to a line, each with its anonymity set. */
export function showSuggestions(
  { suggestions = [] }: Pick<QuoteResponse, 'suggestions'>,
  { arriving, paid }: Shown,
): string[] {
  if (suggestions.length === 0) return []
  const lines = suggestions.map((one) => {
    const pays = paid === undefined ? '' : `, if ${paid(one.amount)} is paid`
    return `${arriving(one.amountOut)}${pays}: ${showCrowd(one)}`
  })
  return [ONLY_EQUAL, ...lines]
}

const ONLY_EQUAL =
  'Send one of these amounts. Only payments of the same amount hide yours, and these are suggested to everyone. So far they are sent by:'

/** The anonymity set of an amount, in words. */
function showCrowd({ anonymitySet, linkProbability }: Suggestion): string {
  const others = anonymitySet - 1
  if (others > 0) return others === 1 ? 'at least 1 other' : `at least ${others} others`
  return linkProbability === '1' ? 'no one else yet' : 'too few others to rely on'
}
