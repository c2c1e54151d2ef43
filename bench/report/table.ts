import colors from 'picocolors'
import type { Line } from './line.ts'

const HEAD = ['', 'unit', 'value', 'baseline', 'ratio', 'bar', '']

function cells(line: Line): string[] {
  const verdict = line.bar === null ? '' : line.ok ? colors.green('ok') : colors.red('missed')
  const { name, unit, value, baseline, ratio, bar } = line
  return [name, unit, `${value}`, `${baseline}`, ratio.toFixed(2), bar ?? '-', verdict]
}

/** Renders the lines as a table for a terminal. */
export function renderTable(lines: readonly Line[]): string {
  const rows = [HEAD, ...lines.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0
    return column === 0 || column > 4 ? cell.padEnd(width) : cell.padStart(width)
  }
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}
