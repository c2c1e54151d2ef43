import {
  createPacedRpc,
  poolAddress,
  shownPool,
  type Address,
  type ShownAccount,
  type TransactionRecord,
} from '@sotto/protocol'
import {
  getBase64Encoder,
  MAX_SUPPORTED_TRANSACTION_VERSION,
  signature as asSignature,
  type Signature,
} from '@solana/kit'
import {
  decodeHistory,
  paidTokenAccounts,
  wholeOf,
  type ReadTransaction,
} from './decode-transaction.ts'
import type { Sightings } from './sightings.ts'

/** The chain to observe. The observer uses only its JSON-RPC interface. */
export interface ObservedChain {
  readonly rpcUrl: string
  readonly program: Address
}

type Rpc = ReturnType<typeof createPacedRpc>

/** The maximum number of transactions that a node lists in one answer. */
const PAGE = 1_000
/** Maximum number of requests that are open at the same time. If the node has a rate limit, the client slows down. */
const AT_ONCE = 8
const COMMITMENT = 'confirmed'

async function readAccount(rpc: Rpc, account: Address): Promise<ShownAccount | undefined> {
  const { value } = await rpc
    .getAccountInfo(account, { encoding: 'base64', commitment: COMMITMENT })
    .send()
  if (value === null) return undefined
  return { owner: value.owner, data: getBase64Encoder().encode(value.data[0]) }
}

interface Listed {
  readonly signature: Signature
  readonly seconds: number
}

/** The transactions that name an account, oldest first. Some of them failed in their block. */
async function listTransactions(rpc: Rpc, account: Address): Promise<Listed[]> {
  const listed: Listed[] = []
  for (let before: Signature | undefined; ;) {
    const page = await listPage(rpc, account, before)
    for (const { signature, blockTime } of page) {
      if (blockTime === null)
        throw new Error('the node lists a transaction without its block time: use another node')
      listed.push({ signature, seconds: wholeOf(blockTime) })
    }
    before = page.at(-1)?.signature
    if (page.length < PAGE || before === undefined) return listed.reverse()
  }
}

const listPage = (rpc: Rpc, account: Address, before: Signature | undefined) =>
  rpc
    .getSignaturesForAddress(account, {
      ...{ commitment: COMMITMENT, limit: PAGE },
      ...(before === undefined ? {} : { before }),
    })
    .send()

async function readTransaction(rpc: Rpc, { signature, seconds }: Listed): Promise<ReadTransaction> {
  const record = await rpc
    .getTransaction(asSignature(signature), {
      ...{ encoding: 'json', commitment: COMMITMENT },
      maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
    })
    .send()
  if (record === null) {
    throw new Error(
      `the node lists ${signature} but no longer has it: use a node with full history`,
    )
  }
  return { signature, seconds, record: record as unknown as TransactionRecord }
}

/**
 * Reads the whole history of a program's pool. Anyone who knows a node's address can do the same.
 *
 * @throws Error if the program has no pool on this chain, or if the node lacks a part of the history.
 */
export async function readSightings({ rpcUrl, program }: ObservedChain): Promise<Sightings> {
  const rpc = createPacedRpc(rpcUrl)
  const pool = shownPool(program, await readAccount(rpc, await poolAddress(program)))
  if (pool === undefined) throw new Error(`${program} has no pool at ${rpcUrl}: check --program`)
  const listed = await listTransactions(rpc, pool.tree)
  // Reading the listed transactions takes long, and transactions that land meanwhile aren't read. So the history's end
  // is the current time, which is read before the transactions.
  const slot = await rpc.getSlot({ commitment: COMMITMENT }).send()
  const untilSeconds = wholeOf(await rpc.getBlockTime(slot).send())
  const history = await eachAtOnce(listed, (one) => readTransaction(rpc, one))
  const opened = await readOpenings(rpc, program, history)
  return decodeHistory(program, history, untilSeconds, opened)
}

/**
 * Maximum number of pages of an account's history that are read to find when the account was opened. Without this
 * limit, the millions of transactions of an exchange's account would be read.
 */
const OPENING_PAGES_MAX = 20

/**
 * The time at which each paid token account was opened: the time of the first transaction that names it. For an account
 * that is older than the pool, the result may be any time before the pool's first transaction. Leaves out an account if
 * its history is too long or if the node doesn't show the time.
 */
async function readOpenings(
  rpc: Rpc,
  program: Address,
  history: readonly ReadTransaction[],
): Promise<ReadonlyMap<Address, number>> {
  const accounts = [...paidTokenAccounts(program, history)]
  const opened = await eachAtOnce(accounts, async (account) => {
    const seconds = await firstSeconds(rpc, account, history[0]?.seconds ?? -Infinity)
    return seconds === undefined ? [] : [[account, seconds] as const]
  })
  return new Map(opened.flat())
}

/**
 * The time of the first successful transaction that names an account. If that time is before `fromSeconds`, the result
 * may be any time before `fromSeconds`. Undefined if the history is too long, or if the node doesn't show the time.
 */
async function firstSeconds(
  rpc: Rpc,
  account: Address,
  fromSeconds: number,
): Promise<number | undefined> {
  let before: Signature | undefined
  let first: number | undefined
  for (let pages = 0; pages < OPENING_PAGES_MAX; pages += 1) {
    const page = await listPage(rpc, account, before)
    const oldest = page.filter(({ err }) => err === null).at(-1)
    if (oldest !== undefined) {
      if (oldest.blockTime === null) return undefined
      first = wholeOf(oldest.blockTime)
    }
    if (page.length < PAGE || (first !== undefined && first < fromSeconds)) return first
    before = page.at(-1)?.signature
  }
  return undefined
}

/** Reads each item, at most `AT_ONCE` at the same time. The results are in the order of the items. */
async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length)
  let next = 0
  const readOn = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const one = items[at]
      if (one !== undefined) results[at] = await read(one)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readOn))
  return results
}
