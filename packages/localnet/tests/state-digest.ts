import { createHash } from 'node:crypto'
import { type Endpoints, call, rawCall } from './client.ts'

const PROGRAMS = [
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
]
const PAGE = 1_000
const BATCH = 200
const commitment = 'finalized'

interface Signed {
  readonly signature: string
}

/** Digests of each part of a chain's visible state, and the number of transactions that they cover. */
export interface StateDigest {
  readonly accounts: string
  readonly history: string
  readonly transactions: string
  readonly count: number
}

/**
 * Computes digests of everything that the RPC shows at `finalized`. They cover every account of the used programs, the
 * history of the given addresses, and every transaction of that history.
 */
export async function stateDigest(
  endpoints: Endpoints,
  addresses: readonly string[],
): Promise<StateDigest> {
  const accounts = createHash('sha256')
  for (const program of PROGRAMS) {
    const params = [program, { commitment, encoding: 'base64' }]
    const found = (await call(endpoints, 'getProgramAccounts', params)) as { pubkey: string }[]
    accounts.update(JSON.stringify(found.sort((a, b) => (a.pubkey < b.pubkey ? -1 : 1))))
  }
  const history = createHash('sha256')
  const signatures = new Set<string>()
  for (const address of addresses) {
    for await (const page of historyOf(endpoints, address)) {
      history.update(JSON.stringify(page))
      for (const { signature } of page) signatures.add(signature)
    }
  }
  const transactions = createHash('sha256')
  const all = [...signatures]
  for (let at = 0; at < all.length; at += BATCH) {
    transactions.update(await transactionsText(endpoints, all.slice(at, at + BATCH)))
  }
  return {
    accounts: accounts.digest('hex'),
    history: history.digest('hex'),
    transactions: transactions.digest('hex'),
    count: all.length,
  }
}

async function* historyOf(endpoints: Endpoints, address: string): AsyncGenerator<Signed[]> {
  let before: string | undefined
  for (;;) {
    const params = [address, { commitment, limit: PAGE, before }]
    const page = (await call(endpoints, 'getSignaturesForAddress', params)) as Signed[]
    if (page.length === 0) return
    yield page
    before = page.at(-1)?.signature
  }
}

async function transactionsText(endpoints: Endpoints, signatures: readonly string[]) {
  const config = { commitment, encoding: 'json', maxSupportedTransactionVersion: 0 }
  const requests = signatures.map((signature, id) => {
    return { jsonrpc: '2.0', id, method: 'getTransaction', params: [signature, config] }
  })
  const { text } = await rawCall(endpoints, JSON.stringify(requests))
  if (text.includes('"result":null') || text.includes('"error":')) {
    throw new Error('a transaction of the history is not found')
  }
  return text
}
