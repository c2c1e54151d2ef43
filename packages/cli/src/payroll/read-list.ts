import { isAddress, type Amount } from '@sotto/protocol'
import { CsvError, parse } from 'csv-parse/sync'
import { isNamed } from '../amounts/asset.ts'
import { toPaidUnits } from '../amounts/decimal.ts'
import type { BalanceAsset } from '../balances/balance-asset.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { doubtIn } from './decimal-marks.ts'

/** One payment of a list. */
export interface ListLine {
  /** The line's number in the file, as an editor counts lines. */
  readonly line: number
  readonly recipient: string
  /** The amount that arrives, in base units. */
  readonly amount: Amount
  /** The list's own name for the payment, which the receipt repeats. Empty if the list has no column for it. */
  readonly reference: string
}

export interface LineProblem {
  readonly line: number
  readonly problem: string
}

/** The lines of a list, and all mistakes in them. */
export interface ReadList {
  readonly lines: readonly ListLine[]
  readonly problems: readonly LineProblem[]
  /** The names of columns that the command doesn't use. */
  readonly ignored: readonly string[]
}

const NEEDED = ['recipient', 'amount'] as const
const KNOWN: readonly string[] = [...NEEDED, 'asset', 'reference']
const SEPARATORS = [';', '\t', ','] as const

interface Row {
  readonly record: Readonly<Record<string, string>>
  readonly info: { readonly lines: number }
}

/**
 * Reads a list that is separated by commas, semicolons or tabs. Its header line must name at least `recipient` and
 * `amount`. Amounts are in whole coins. @throws CliError if the text isn't such a table.
 */
export function readList(text: string, asset: BalanceAsset): ReadList {
  const [headline = ''] = text.split('\n', 1)
  const delimiter = SEPARATORS.find((one) => headline.includes(one)) ?? ','
  let columns: readonly string[] = []
  const rows = parseRows(text, delimiter, (names) => (columns = names))
  const readingsOf = doubtIn(
    rows.map(({ record }) => record['amount'] ?? ''),
    delimiter,
  )
  const lines: ListLine[] = []
  const problems: LineProblem[] = []
  for (const { record, info } of rows) {
    const problem = (text: string) => problems.push({ line: info.lines, problem: text })
    const { recipient = '', amount: typed = '', asset: named = '', reference = '' } = record
    if (!isAddress(recipient)) problem(`"${recipient}" is not a Solana address`)
    if (named !== '' && !isNamed(asset, named)) {
      problem(`the asset is ${named}, and the balance holds ${asset.symbol}`)
    }
    // The rest of a field with an open quote could be other payments.
    if (Object.values(record).some((field) => /[\r\n]/.test(field))) {
      problem('a field in quotes has several lines, which may be other payments')
    }
    const [whole, fraction] = readingsOf(typed) ?? []
    if (whole !== undefined) problem(`"${typed.trim()}" can mean ${whole} or ${fraction}`)
    const amount = amountIn(typed, asset, problem)
    if (amount !== undefined) lines.push({ line: info.lines, recipient, amount, reference })
  }
  return { lines, problems, ignored: columns.filter((name) => !KNOWN.includes(name)) }
}

function amountIn(
  typed: string,
  { decimals, symbol }: BalanceAsset,
  problem: (text: string) => void,
): Amount | undefined {
  try {
    return toPaidUnits(typed, decimals, symbol)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    problem(error.message)
    return undefined
  }
}

function parseRows(
  text: string,
  delimiter: string,
  onColumns: (names: readonly string[]) => void,
): Row[] {
  const columns = (headline: string[]): string[] => {
    const names = headline.map((name) => name.toLowerCase())
    for (const needed of NEEDED) {
      const found = names.filter((name) => name === needed).length
      if (found === 1) continue
      throw invalid(`the first line names ${found} columns "${needed}" instead of one`)
    }
    onColumns(names)
    return names
  }
  try {
    return parse(text, {
      ...{ bom: true, trim: true, skip_empty_lines: true },
      ...{ skip_records_with_empty_values: true, info: true, delimiter, columns },
    }) as unknown as Row[]
  } catch (error) {
    if (error instanceof CsvError) throw invalid(error.message)
    throw error
  }
}

const invalid = (message: string): CliError =>
  new CliError(
    EXIT.usage,
    'LIST_INVALID',
    `the list can't be read: ${message}`,
    'give a table with commas between its columns, whose first line is: recipient,amount',
  )
