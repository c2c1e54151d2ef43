import type { Quote, QuoteResponse } from '@sotto/contract'

export type UnsignedQuote = Omit<Quote, 'quoteId'>
/** All members of the answer except `success` and `quote`. */
export type BesideQuote = Omit<QuoteResponse, 'success' | 'quote'>

/** Writes the JSON of quotes that this service made. */
export interface QuoteText {
  /** Writes the members of the quote's canonical JSON, without the braces around them. */
  readonly members: (quote: UnsignedQuote) => string
  /** Writes the answer's JSON around the given JSON of its quote. */
  readonly answer: (quote: string, beside: BesideQuote) => string
}
