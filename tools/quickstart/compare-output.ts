const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Matches the output that a page shows. `…` means any text within a line or, alone on a line, any lines. */
export function patternOf(shown: string): RegExp {
  const lines = shown.trimEnd().split('\n')
  const parts = lines.map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escaped).join('.*?')}\\n`,
  )
  return new RegExp(`^${parts.join('')}$`)
}

/** True if a whole output matches the page, except for surrounding blank lines and trailing spaces. */
export function isShown(shown: string, printed: string): boolean {
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
  const expected = shown.split('\n').map((line) => line.trimEnd())
  return patternOf(expected.join('\n').trim()).test(`${lines.join('\n')}\n`)
}
