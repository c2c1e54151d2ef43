import Table from 'cli-table3'
import { printable } from './printable.ts'

// No frames: what is printed can be copied, and read by other programs of a shell.
const CHARS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
  middle: '  ',
}
const STYLE = { 'padding-left': 0, 'padding-right': 0, head: [], border: [] }

/** Rows under a headline, in aligned columns. */
export function rowsTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({ chars: CHARS, style: STYLE, head: [...head] })
  table.push(...rows.map((row) => row.map(printable)))
  return trimmed(table)
}

/** Names and values, one pair a line; absent values are left out. */
export function fieldsTable(fields: readonly (readonly [string, string | undefined])[]): string {
  const table = new Table({ chars: CHARS, style: STYLE })
  for (const [name, value] of fields) if (value !== undefined) table.push([name, printable(value)])
  return trimmed(table)
}

const trimmed = (table: { toString(): string }): string =>
  table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
