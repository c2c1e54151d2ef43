const ESCAPE = '\u001b'

/**
 * The text without control characters, except for the colours that this command uses. Without this function, text
 * from a service, such as a symbol, could overwrite the amounts next to it.
 */
export const printable = (text: string): string =>
  text.replaceAll(/\p{C}(\[3[1239]m)?/gu, (found, colour: string | undefined) =>
    found.startsWith(ESCAPE) && colour !== undefined ? found : '',
  )

/** Applies `printable` to each line of a text. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
