const ESCAPE = '\u001b'
const FRAME = '\n    at '

/**
 * The text without control characters, except for the colours that this command uses. Without this function, text
 * from a service, such as a symbol, could overwrite the amounts next to it.
 */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}](\[3[1239]m)?/gu, (found, colour: string | undefined) =>
    found.startsWith(ESCAPE) && colour !== undefined ? found : '',
  )

/**
 * The text on one line and without colours. Only the frames of an error's stack keep their lines. Without this
 * function, a service's message could add lines that look like those of this command.
 */
export const flat = (text: string): string =>
  text
    .split(FRAME)
    .map((part) => part.replaceAll(/[\s\p{C}]+/gu, ' ').trim())
    .join(FRAME)

/** Applies `printable` to each line of a text. Use it only for texts in which this command has put each line break. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
