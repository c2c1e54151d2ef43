import { NATIVE_MINT } from './constants.ts'

/** The symbol of native SOL. */
export const SOL_SYMBOL = 'SOL'

/**
 * Matches the characters of a symbol that a person doesn't see: spaces, marks, fillers and control characters. The last
 * two are empty too, although Unicode calls them symbols: the braille pattern without dots and the null notehead.
 */
const UNSEEN = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu

/**
 * True if a person reads the symbol as SOL. Letters of other alphabets that look like S, O or L aren't recognised,
 * except for the variants of Latin letters that Unicode calls compatible, such as letters of full width.
 */
const readsAsSol = (symbol: string): boolean =>
  symbol.normalize('NFKD').replaceAll(UNSEEN, '').toUpperCase() === SOL_SYMBOL

/**
 * True if an asset may have this symbol: native SOL is called exactly SOL, and a person reads no other asset's symbol
 * as SOL. The operator's commands, the command `sotto` and the send page all apply this rule.
 */
export const mayHaveSymbol = (mint: string, symbol: string): boolean =>
  mint === NATIVE_MINT ? symbol === SOL_SYMBOL : !readsAsSol(symbol)
