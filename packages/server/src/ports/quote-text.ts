import type { Quote, QuoteResponse } from '@sotto/contract'

export type UnsignedQuote = Omit<Quote, 'quoteId'>
/** The answer's members other than the quote. */
export type BesideQuote = Omit<QuoteResponse, 'success' | 'quote'>

/** Writes the JSON of quotes that this service made. */
export interface QuoteText {
  /** The members of the quote's canonical JSON, without the braces. */
  readonly members: (quote: UnsignedQuote) => string
  /** The answer's JSON, which contains the given JSON of its quote. */
  readonly answer: (quote: string, beside: BesideQuote) => string
}
