import { keepEpoch } from '../../../src/adapters/keystore/epoch-secrets.ts'
import { systemRandom } from '../../../src/adapters/random/system-random.ts'
import type { DumpedRow, Evidence } from './evidence.ts'

/** The public data of a deposit. Deposits are listed in the sequence in which they were made. */
export interface PublicDeposit {
  readonly orderId: string
  readonly sender: string
  readonly signature: string
}

/** The public data of a settlement. Settlements are listed in the sequence in which they were made. */
export interface PublicSettlement {
  readonly payee: string
  readonly payeeHex: string
  /** The payee as `paid_payees` stores it. */
  readonly payeeHash: string
  readonly signature: string
  readonly nullifierHex: string
}

export interface PublicChain {
  readonly deposits: readonly PublicDeposit[]
  readonly settlements: readonly PublicSettlement[]
}

/**
 * A guess, from the evidence, of each order's settlement. `settlementOf` has the index of the guessed settlement for
 * each order.
 */
export interface Guess {
  readonly clue: string
  readonly settlementOf: ReadonlyMap<string, number>
}

const compare = (left: string, right: string) => {
  const [a, b] = [Number(left), Number(right)]
  if (left !== '' && right !== '' && !Number.isNaN(a) && !Number.isNaN(b)) return a - b
  return left < right ? -1 : left > right ? 1 : 0
}
const byPlace = (a: DumpedRow, b: DumpedRow) => a.place[0] - b.place[0] || a.place[1] - b.place[1]
const isText = (value: string) => value.length >= 16

/** Returns a function that finds the order that a text names: by its id, its sender or its deposit's signature. */
function namer(chain: PublicChain): (text: string) => string | undefined {
  const names = new Map(
    chain.deposits.flatMap(({ orderId, sender, signature }) =>
      [orderId, `\\x${orderId}`, sender, signature].map((name) => [name, orderId] as const),
    ),
  )
  return (text) => names.get(text)
}

type Name = ReturnType<typeof namer>

const orderOf = (row: DumpedRow, name: Name) =>
  Object.values(row.cells)
    .map(name)
    .find((orderId) => orderId !== undefined)

/** Matches the first order of a sequence to the first settlement, the second to the second, and so on. */
const inOrder = (clue: string, orderIds: readonly string[]): Guess => ({
  clue,
  settlementOf: new Map([...new Set(orderIds)].map((orderId, index) => [orderId, index])),
})

function tablesOf(dump: readonly DumpedRow[]): Map<string, DumpedRow[]> {
  const tables = new Map<string, DumpedRow[]>()
  for (const row of dump) tables.set(row.table, [...(tables.get(row.table) ?? []), row])
  return tables
}

/**
 * Guesses from the sequence of the rows that name orders. There is one guess for each way to sort the rows: by
 * position, by each column, by the transaction that wrote the row, or by the transaction that last locked or replaced
 * the row.
 */
function guessByRank(dump: readonly DumpedRow[], name: Name, when: string): Guess[] {
  return [...tablesOf(dump)].flatMap(([table, all]) => {
    const rows = all.filter((row) => orderOf(row, name) !== undefined)
    const ids = (sorted: readonly DumpedRow[]) => sorted.map((row) => orderOf(row, name)!)
    const columns = Object.keys(rows[0]?.cells ?? {}).map((column) =>
      inOrder(
        `${when}: ${table} by ${column}`,
        ids([...rows].sort((a, b) => compare(a.cells[column] ?? '', b.cells[column] ?? ''))),
      ),
    )
    return [
      inOrder(`${when}: ${table} by place`, ids([...rows].sort(byPlace))),
      inOrder(`${when}: ${table} by xmin`, ids([...rows].sort((a, b) => a.xmin - b.xmin))),
      inOrder(`${when}: ${table} by xmax`, ids([...rows].sort((a, b) => a.xmax - b.xmax))),
      ...columns,
    ]
  })
}

/**
 * Guesses from pairs of a row that names no order and a row that names an order. The two rows must share a value or a
 * transaction.
 */
function guessBySharing(dump: readonly DumpedRow[], name: Name, when: string): Guess[] {
  const keyed = (keysOf: (row: DumpedRow) => string[], clue: string): Guess[] => {
    const owners = new Map<string, Set<string>>()
    for (const row of dump) {
      const orderId = orderOf(row, name)
      if (orderId === undefined) continue
      for (const key of keysOf(row)) owners.set(key, (owners.get(key) ?? new Set()).add(orderId))
    }
    const others = dump.filter((row) => orderOf(row, name) === undefined)
    return [...tablesOf(others)].map(([table, rows]) =>
      inOrder(
        `${when}: ${table} by shared ${clue}`,
        [...rows].sort(byPlace).flatMap((row) => {
          const found = keysOf(row).map((key) => owners.get(key))
          const only = found.find((ids) => ids?.size === 1)
          return only === undefined ? [] : [...only]
        }),
      ),
    )
  }
  return [
    ...keyed((row) => Object.values(row.cells).filter(isText), 'value'),
    ...keyed((row) => [`${row.xmin}`], 'transaction'),
  ]
}

/** Assumes that the settlement of an order changes a row that names this order. */
function guessByChange(dumps: Evidence['dumps'], name: Name): Guess {
  const looks = dumps.map((dump) => {
    const seen = new Map<string, string>()
    for (const row of dump) {
      const orderId = orderOf(row, name)
      if (orderId !== undefined) seen.set(orderId, (seen.get(orderId) ?? '') + JSON.stringify(row))
    }
    return seen
  })
  const settlementOf = new Map<string, number>()
  for (let index = 1; index < looks.length - 1; index += 1) {
    const [before, after] = [looks[index - 1]!, looks[index]!]
    const changed = [...after.keys()].filter((id) => before.get(id) !== after.get(id))
    if (changed.length === 1) settlementOf.set(changed[0]!, index - 1)
  }
  return { clue: 'rows that change with a settlement', settlementOf }
}

/** Assumes that a table names an order for the first time when the order is settled. */
function guessByAppearance(dumps: Evidence['dumps'], name: Name): Guess {
  const settlementOf = new Map<string, number>()
  let known = new Set<string>()
  for (const [index, dump] of dumps.entries()) {
    const named = dump.flatMap((row) => {
      const orderId = orderOf(row, name)
      return orderId === undefined ? [] : [[`${row.table} ${orderId}`, orderId] as const]
    })
    const fresh = new Set(named.flatMap(([key, id]) => (known.has(key) ? [] : [id])))
    const [only] = fresh
    if (index > 0 && fresh.size === 1) settlementOf.set(only!, index - 1)
    known = new Set(named.map(([key]) => key))
  }
  return { clue: 'rows that appear with a settlement', settlementOf }
}

/**
 * Assumes that log lines name the orders in the sequence of their settlements. A line may contain any of an order's
 * names.
 */
function guessByLogs({ logLines }: Evidence, { deposits }: PublicChain): Guess {
  const named = logLines.flatMap((line) =>
    deposits
      .filter(({ orderId, sender, signature }) => {
        const short = Buffer.from(orderId, 'hex').toString('base64url')
        return [orderId, short, sender, signature].some((text) => line.includes(text))
      })
      .map(({ orderId }) => orderId),
  )
  return inOrder('log lines', named)
}

/** Guesses from any detail of a settlement that is in a row that names an order. */
function guessByText(evidence: Evidence, name: Name, chain: PublicChain): Guess {
  const settlementOf = new Map<string, number>()
  for (const row of evidence.dumps.flat()) {
    const orderId = orderOf(row, name)
    if (orderId === undefined) continue
    const text = JSON.stringify(row.cells)
    const index = chain.settlements.findIndex((one) =>
      // A refund pays the sender, and the deposit names the sender anyway. So the payee of a refund is no evidence.
      [one.payee, one.payeeHex, one.payeeHash, one.signature, one.nullifierHex].some(
        (fact) => text.includes(fact) && !chain.deposits.some(({ sender }) => sender === fact),
      ),
    )
    if (index >= 0) settlementOf.set(orderId, index)
  }
  return { clue: 'facts of a settlement beside an order', settlementOf }
}

/**
 * Guesses with the keys that weren't destroyed. Each key gives pseudonyms, and the rows of attempts name the pseudonyms
 * in sequence.
 */
function guessByKeys({ keys, dumps }: Evidence, { deposits }: PublicChain): Guess[] {
  return keys
    .filter(({ hex }) => hex.length === 64)
    .map(({ name, hex }) => {
      const { secrets } = keepEpoch(0, new Uint8Array(Buffer.from(hex, 'hex')), systemRandom)
      const names = new Map(
        deposits.map(({ orderId }) => {
          const pseudonym = secrets.pseudonym(new Uint8Array(Buffer.from(orderId, 'hex')))
          return [`\\x${Buffer.from(pseudonym).toString('hex')}`, orderId]
        }),
      )
      const rows = dumps.flat().filter(({ table }) => table === 'attempts')
      const found = rows.flatMap(({ cells }) => names.get(cells['pseudonym'] ?? '') ?? [])
      return inOrder(`the key ${name}`, found)
    })
}

/** Tries every known way of finding each deposit's settlement. */
export function attack(evidence: Evidence, chain: PublicChain): Guess[] {
  const name = namer(chain)
  return [
    ...evidence.dumps.flatMap((dump, index) => [
      ...guessByRank(dump, name, `dump ${index}`),
      ...guessBySharing(dump, name, `dump ${index}`),
    ]),
    guessByChange(evidence.dumps, name),
    guessByAppearance(evidence.dumps, name),
    guessByLogs(evidence, chain),
    guessByText(evidence, name, chain),
    ...guessByKeys(evidence, chain),
  ]
}
