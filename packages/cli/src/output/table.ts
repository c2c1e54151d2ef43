import Table from 'cli-table3'
import { printable } from './printable.ts'

// Tables have no frames, so that the output can be copied and piped into other programs.
const CHARS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
  middle: '  ',
}
const STYLE = { 'padding-left': 0, 'padding-right': 0, head: [], border: [] }

/** Width in columns of the narrowest terminal that tables must fit. */
export const NARROWEST = 80

/**
 * Formats rows under a header line, in aligned columns. If the columns are wider than the terminal, each row becomes
 * a list of names and values, with an empty line between rows.
 */
export function rowsTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = NARROWEST,
): string {
  const table = new Table({ chars: CHARS, style: STYLE, head: [...head] })
  table.push(...rows.map((row) => row.map(printable)))
  const aligned = trimmed(table)
  if (aligned.split('\n').every((line) => printable(plain(line)).length <= width)) return aligned
  const named = (row: readonly string[]) =>
    row.map((value, index) => [head[index] ?? '', value === '' ? undefined : value] as const)
  return rows.map((row) => fieldsTable(named(row), width)).join('\n\n')
}

/** Formats names and values, one pair on each line. Omits undefined values, and wraps long values. */
export function fieldsTable(
  fields: readonly (readonly [string, string | undefined])[],
  width = NARROWEST,
): string {
  const shown = fields.filter((field): field is [string, string] => field[1] !== undefined)
  const indent = Math.max(0, ...shown.map(([name]) => name.length)) + 2
  const table = new Table({ chars: CHARS, style: STYLE })
  for (const [name, value] of shown) {
    table.push([name, wrapped(printable(value), width - indent)])
  }
  return trimmed(table)
}

/** Wraps a text at spaces. A word that is longer than a line, such as a signature, isn't broken. */
function wrapped(text: string, width: number): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const isFitting = last !== undefined && plain(`${last} ${word}`).length <= width
    if (isFitting) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

/** The text without colour codes, which take no width on the terminal. */
const plain = (text: string): string => text.replaceAll(/\p{C}\[3[1239]m/gu, '')

const trimmed = (table: { toString(): string }): string =>
  table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
