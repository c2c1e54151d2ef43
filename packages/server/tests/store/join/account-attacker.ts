import type { DumpedRow } from './evidence.ts'

/** The service's data after a settlement: a dump of the database, and new log lines. */
export interface Moment {
  readonly dump: readonly DumpedRow[]
  /** Log lines written since the previous moment. */
  readonly logLines: readonly string[]
}

/** A property that is computed from the moments. It has one number for each settlement. */
export interface Trait {
  readonly clue: string
  readonly values: readonly number[]
}

const outboxOf = ({ dump }: Moment) =>
  new Map(
    dump.filter(({ table }) => table === 'outbox').map((row) => [row.cells['name'] ?? '', row]),
  )

/** Converts a cell to a number: the value of a number or a time, and the length of any other text. */
function numberOf(text: string): number {
  if (text === '') return -1
  const value = Number(text)
  if (!Number.isNaN(value)) return value
  const time = Date.parse(text)
  return Number.isNaN(time) ? text.length : time
}

/** Counts the moments at which these rows differ from the previous moment. */
function changes(
  moments: readonly Moment[],
  names: readonly string[],
  of: (row: DumpedRow | undefined) => string,
): number {
  const tables = moments.map(outboxOf)
  return tables
    .slice(1)
    .filter((table, index) =>
      names.some((name) => of(tables[index]!.get(name)) !== of(table.get(name))),
    ).length
}

/**
 * Everything that may distinguish one account's settlements from the other settlements. Traits come from the messages
 * that were written with each settlement, from later changes of their rows, from the log, and from changes of
 * endpoints. The first moment is before the first settlement.
 */
export function traits(moments: readonly Moment[]): Trait[] {
  const last = outboxOf(moments.at(-1)!)
  const settlements = moments.slice(1).map((moment, index) => {
    const before = outboxOf(moments[index]!)
    const names = [...outboxOf(moment).keys()].filter((name) => !before.has(name))
    return { moment, previous: moments[index]!, later: moments.slice(index + 1), names }
  })
  type Settlement = (typeof settlements)[number]
  const trait = (clue: string, value: (settlement: Settlement) => number): Trait => ({
    clue,
    values: settlements.map(value),
  })
  const cells = (names: readonly string[], column: string) =>
    names.map((name) => numberOf(last.get(name)?.cells[column] ?? ''))
  const columns = [...new Set([...last.values()].flatMap((row) => Object.keys(row.cells)))]
  const dues = [...last.values()].map((row) => row.cells['due_at'] ?? '')
  const endpoints = ({ dump }: Moment) =>
    JSON.stringify(dump.filter(({ table }) => table === 'webhooks'))
  return [
    trait('messages', ({ names }) => names.length),
    trait('log lines', ({ moment }) => moment.logLines.length),
    trait(
      'logged messages',
      ({ moment }) => moment.logLines.filter((line) => line.includes('webhook')).length,
    ),
    trait('endpoints written', ({ moment, previous }) =>
      endpoints(moment) === endpoints(previous) ? 0 : 1,
    ),
    trait('messages due together', ({ names }) =>
      Math.max(
        0,
        ...names.map(
          (name) => dues.filter((due) => due === last.get(name)?.cells['due_at']).length,
        ),
      ),
    ),
    trait(
      'writes per poll',
      ({ later, names }) =>
        changes(later, names, (row) => `${row?.xmin}`) / Math.max(1, later.length - 1),
    ),
    ...columns.flatMap((column) => [
      trait(`${column}: at once`, ({ moment, names }) =>
        Math.min(...names.map((name) => numberOf(outboxOf(moment).get(name)?.cells[column] ?? ''))),
      ),
      trait(`${column}: changes`, ({ later, names }) =>
        changes(later, names, (row) => row?.cells[column] ?? ''),
      ),
      trait(`${column}: least`, ({ names }) => Math.min(...cells(names, column))),
      trait(`${column}: most`, ({ names }) => Math.max(...cells(names, column))),
    ]),
  ]
}

/**
 * Returns the traits that identify an account. For such a trait, one threshold separates all of the account's
 * settlements from all others. There are 24 settlements, 8 for each of three accounts. If all values of a trait differ,
 * the trait identifies an account by chance once in 120,000 traits.
 */
export function singlingOut(found: readonly Trait[], accounts: readonly string[]): string[] {
  return found.flatMap(({ clue, values }) =>
    [...new Set(accounts)].flatMap((account) => {
      const own = values.filter((_, index) => accounts[index] === account)
      const others = values.filter((_, index) => accounts[index] !== account)
      const isApart =
        Math.max(...own) < Math.min(...others) || Math.min(...own) > Math.max(...others)
      return isApart ? [`${clue} of ${account}`] : []
    }),
  )
}
