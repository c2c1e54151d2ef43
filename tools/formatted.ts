import { format, type FormatOptions } from 'oxfmt'

/**
 * A generated text in the repository's format. The file's name decides the language. JSON and Markdown need no options.
 * @throws Error if the text can't be parsed.
 */
export async function formatted(
  fileName: string,
  text: string,
  options: FormatOptions = {},
): Promise<string> {
  const { code, errors } = await format(fileName, text, options)
  if (errors.length > 0) {
    throw new Error(
      `${fileName} can't be formatted: ${errors.map(({ message }) => message).join('; ')}`,
    )
  }
  return code
}
