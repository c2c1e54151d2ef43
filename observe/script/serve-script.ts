import { addressBytes, poolAddress, type Address } from '@sotto/protocol'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Script } from './encode-events.ts'

/** A scripted history that is served over JSON-RPC. */
export interface ServedScript {
  readonly rpcUrl: string
  readonly stop: () => Promise<void>
}

interface Question {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

type Answerer = (params: readonly unknown[]) => unknown

const POOL_BYTES = 176
const POOL = 1
const TREE_OFFSET = 136
const PAGE = 1_000
const KEEP_ALIVE_MS = 120_000

/** A Pool account that names the script's tree, in the layout of docs/protocol.md. */
function poolOf({ tree }: Script): Uint8Array {
  const data = new Uint8Array(POOL_BYTES)
  data[0] = POOL
  data.set(addressBytes(tree), TREE_OFFSET)
  return data
}

async function answerers(script: Script): Promise<Readonly<Record<string, Answerer>>> {
  const { program, records, untilSeconds } = script
  const pool = await poolAddress(program)
  const data = [Buffer.from(poolOf(script)).toString('base64'), 'base64']
  const account = { owner: program, data, lamports: 1, executable: false, rentEpoch: 0, space: 0 }
  const newestFirst = [...records].reverse()
  const bySignature = new Map(records.map((record) => [record.signature, record]))
  const slot = records.length + 1
  return {
    getAccountInfo: ([address]) => ({
      context: { slot },
      value: address === pool ? account : null,
    }),
    getSlot: () => slot,
    getBlockTime: () => untilSeconds,
    getSignaturesForAddress: ([address, options]) => {
      const { before, limit = PAGE } = options as { before?: string; limit?: number }
      if (address !== script.tree) return openingsOf(script, String(address))
      const from = newestFirst.findIndex(({ signature }) => signature === before) + 1
      return newestFirst.slice(from, from + limit).map(({ signature, slot: at, seconds, err }) => ({
        ...{ signature, slot: at, blockTime: seconds, err, memo: null },
        confirmationStatus: 'finalized',
      }))
    },
    getTransaction: ([signature]) => bySignature.get(String(signature))?.transaction ?? null,
  }
}

/** The transaction that opened a token account, as a node lists it. The account's other transactions are left out. */
function openingsOf({ openedSeconds, records }: Script, account: string) {
  const seconds = openedSeconds.get(account as Address)
  const signature = records[0]?.signature
  if (seconds === undefined) return []
  return [{ signature, slot: 1, blockTime: seconds, err: null, memo: null }]
}

async function bodyOf(request: IncomingMessage): Promise<Question> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString()) as Question
}

/**
 * Serves a scripted history over JSON-RPC, like a node. No program runs: the transactions have the service's format,
 * but their proofs are random bytes.
 */
export async function serveScript(script: Script): Promise<ServedScript> {
  const known = await answerers(script)
  const server = createServer((request, response) => {
    bodyOf(request)
      .then(({ id, method, params }) => {
        const answer = known[method]
        const error = { code: -32_601, message: `the script has no answer to ${method}` }
        const outcome = answer === undefined ? { error } : { result: answer(params) }
        response.writeHead(200, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
      })
      .catch(() => response.destroy())
  })
  // By default, a server closes an idle connection after 5 seconds. On a busy machine, a client would often use a
  // connection at the moment at which the server closes it.
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
