import {
  parseSetComputeUnitPriceInstruction,
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  ComputeBudgetInstruction,
  identifyComputeBudgetInstruction,
} from '@solana-program/compute-budget'
import {
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type Signature,
} from '@solana/kit'
import { STEP_MAX, unitPriceOf } from '@sotto/protocol'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SeededRandom } from '../../sim/time/seeded-random.ts'

/** A transaction that the endpoint has received. */
interface Seen {
  readonly unitPrice: bigint
  readonly isDropped: boolean
}

/**
 * An endpoint for sending transactions. It drops most transactions that pay less than a price, and the price changes.
 */
export interface CongestedNode {
  readonly url: string
  /** Every received transaction, by its signature. */
  readonly seen: ReadonlyMap<Signature, Seen>
  /** The methods that were requested from the endpoint. */
  readonly methods: ReadonlySet<string>
  readonly stop: () => Promise<void>
}

/** The percentage of the transactions below the price that never land. */
const DROPPED = 90
/** Number of transactions after which the price moves. */
const MOVES_EVERY = 4

/**
 * Starts the endpoint. If it drops a transaction, it answers like a node that has accepted the transaction. After it
 * has dropped a transaction, it drops all copies of this transaction. Its price never exceeds the highest price that
 * services offer.
 */
export async function startCongestedNode(target: string, seed: number): Promise<CongestedNode> {
  const random = new SeededRandom(`congestion/${seed}`)
  const seen = new Map<Signature, Seen>()
  const methods = new Set<string>()
  let price = unitPriceOf(STEP_MAX - 1)
  const judge = (signature: Signature, unitPrice: bigint): boolean => {
    const known = seen.get(signature)
    if (known !== undefined) return known.isDropped
    if (seen.size > 0 && seen.size % MOVES_EVERY === 0)
      price = unitPriceOf(1 + random.below(STEP_MAX))
    const isDropped = unitPrice < price && random.below(100) < DROPPED
    seen.set(signature, { unitPrice, isDropped })
    return isDropped
  }
  const server = createServer((request, response) => {
    const answer = async () => {
      const body = await bodyOf(request)
      const { id, method, params } = JSON.parse(body) as Call
      methods.add(method)
      const sent = method === 'sendTransaction' ? readTransaction(params[0]) : undefined
      const json = { 'Content-Type': 'application/json' }
      if (sent !== undefined && judge(sent.signature, sent.unitPrice)) {
        const result = { jsonrpc: '2.0', id, result: sent.signature }
        return void response.writeHead(200, json).end(JSON.stringify(result))
      }
      const forwarded = await fetch(target, { method: 'POST', headers: json, body })
      response.writeHead(200, json).end(await forwarded.text())
    }
    answer().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://127.0.0.1:${port}`, seen, methods },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: readonly [string]
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/** The signature and the price of a transaction that is given in base64. */
function readTransaction(base64: string): {
  readonly signature: Signature
  readonly unitPrice: bigint
} {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(base64))
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  if (message.version !== 0) throw new Error('the service sends transactions of version 0')
  const prices = message.instructions.flatMap(({ programAddressIndex, data }) => {
    if (message.staticAccounts[programAddressIndex] !== COMPUTE_BUDGET_PROGRAM_ADDRESS) return []
    const instruction = { programAddress: COMPUTE_BUDGET_PROGRAM_ADDRESS, data: data ?? EMPTY }
    const kind = identifyComputeBudgetInstruction(instruction)
    if (kind !== ComputeBudgetInstruction.SetComputeUnitPrice) return []
    return [BigInt(parseSetComputeUnitPriceInstruction(instruction).data.microLamports)]
  })
  return { signature: getSignatureFromTransaction(transaction), unitPrice: prices[0] ?? 0n }
}

const EMPTY = new Uint8Array()
