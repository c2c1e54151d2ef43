/** One step of a page. */
export type Step =
  /** Type this in the first terminal, in which the program keeps running. */
  | { readonly kind: 'serve'; readonly line: number; readonly text: string }
  /** Press Ctrl-C in the first terminal, and wait until the program has ended. */
  | { readonly kind: 'stop'; readonly line: number }
  /** Type this in the second terminal. */
  | { readonly kind: 'type'; readonly line: number; readonly text: string }
  | { readonly kind: 'write'; readonly line: number; readonly text: string; readonly file: string }
  /** Expect this output of the last command. */
  | { readonly kind: 'see'; readonly line: number; readonly text: string }

/** Languages of blocks that are files. */
const FILES = ['js', 'ts', 'csv']

const FENCE = /^```(\S*) ?(.*)\n([^]*?)^```$/gm

/**
 * The fenced blocks of a page as steps. Every block counts. A block that can't be executed is an error, and so is a
 * block whose file isn't named by the text before it.
 *
 * @throws Error for a block that isn't a step.
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
