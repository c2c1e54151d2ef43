const ESCAPE = '\u001b'

/**
 * Text without anything that a terminal would obey, but for the colours that this command uses. What a
 * service says, a symbol for example, could otherwise write over the amounts beside it.
 */
export const printable = (text: string): string =>
  text.replaceAll(/\p{C}(\[3[1239]m)?/gu, (found, colour: string | undefined) =>
    found.startsWith(ESCAPE) && colour !== undefined ? found : '',
  )

/** The same of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
