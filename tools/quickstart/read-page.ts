/** One step of a page for its reader. */
export type Step =
  /** Type this command in the first terminal. The program keeps running there. */
  | { readonly kind: 'serve'; readonly line: number; readonly text: string }
  /** Press Ctrl-C in the first terminal, and wait until its program has ended. */
  | { readonly kind: 'stop'; readonly line: number }
  /** Type this command in the second terminal. */
  | { readonly kind: 'type'; readonly line: number; readonly text: string }
  | { readonly kind: 'write'; readonly line: number; readonly text: string; readonly file: string }
  /** Compare the output of the last command with this text. */
  | { readonly kind: 'see'; readonly line: number; readonly text: string }

/** Languages of code blocks that are files to write. */
const FILES = ['js', 'ts', 'csv']

const FENCE = /^```(\S*) ?(.*)\n([^]*?)^```$/gm

/**
 * Reads the fenced code blocks of a page as steps. No block is ignored.
 *
 * @throws Error if a block can't be executed, or if a block is a file whose name isn't in the text before the block.
 */
export function readPage(page: string): Step[] {
  let seen = 0
  return [...page.matchAll(FENCE)].map((match) => {
    const [whole, language, more = '', text = ''] = match
    const line = page.slice(0, match.index).split('\n').length
    const words = page.slice(seen, match.index)
    seen = match.index + whole.length
    if (language === 'sh') return { kind: more === 'server' ? 'serve' : 'type', line, text }
    if (language === 'text' && more === 'server' && text.trim() === '^C')
      return { kind: 'stop', line }
    if (language === 'text' && more === '') return { kind: 'see', line, text }
    if (FILES.includes(language ?? '') && more !== '') {
      if (!words.includes(`\`${more}\``)) {
        throw new Error(`line ${line}: the text before it does not name ${more}`)
      }
      return { kind: 'write', line, text, file: more }
    }
    throw new Error(`line ${line}: unsupported kind of block: ${language}`)
  })
}
