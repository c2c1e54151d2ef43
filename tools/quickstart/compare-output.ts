const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Matches what a page shows: `…` is any text of one line, and a line of its own any lines. */
export function patternOf(shown: string): RegExp {
  const lines = shown.trimEnd().split('\n')
  const parts = lines.map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escaped).join('.*?')}\\n`,
  )
  return new RegExp(`^${parts.join('')}$`)
}

/** Whether a whole output is what the page shows; blank lines around it and trailing blanks aside. */
export function isShown(shown: string, printed: string): boolean {
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
  const expected = shown.split('\n').map((line) => line.trimEnd())
  return patternOf(expected.join('\n').trim()).test(`${lines.join('\n')}\n`)
}
