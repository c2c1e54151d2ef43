const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * A pattern for the output that a page shows. `…` within a line stands for any text. `…` alone on a line stands for
 * any lines.
 */
export function patternOf(shown: string): RegExp {
  const lines = shown.trimEnd().split('\n')
  const parts = lines.map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escaped).join('.*?')}\\n`,
  )
  return new RegExp(`^${parts.join('')}$`)
}

/**
 * True if a command's whole output matches the page. Blank lines around the output and spaces at the ends of lines are
 * ignored.
 */
export function isShown(shown: string, printed: string): boolean {
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
  const expected = shown.split('\n').map((line) => line.trimEnd())
  return patternOf(expected.join('\n').trim()).test(`${lines.join('\n')}\n`)
}
