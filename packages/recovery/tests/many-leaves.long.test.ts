import { createSolanaRpc, type Address, type Signature } from '@solana/kit'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import type { Ticket } from '@sotto/protocol'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { locateNote } from '../index.ts'
import { FakeChain, note, PROGRAM, TREE } from './fake-chain.ts'

const MANY = 100_000
/**
 * Time limit for finding a ticket's note among 10^5 leaves and as many transactions that only name the tree. The node
 * and the reader run in this process. The limit applies to the process's CPU time, so that other work of the machine
 * doesn't affect the result.
 */
const LIMIT_MS = 120_000

interface Asked {
  readonly id: string
  readonly method: string
  readonly params: [Address, never]
}

/** Responds as a node does, with JSON over HTTP. Listing transactions is fast, as in a node with an index. */
function serve(chain: FakeChain) {
  const places = new Map(chain.transactions.map(({ signature }, place) => [signature, place]))
  const list = ({ before, limit }: { before?: Signature; limit: number }) => {
    const end = before === undefined ? chain.transactions.length : places.get(before)!
    const page = chain.transactions.slice(Math.max(0, end - limit), end).reverse()
    return page.map(({ signature, slot, err }) => ({ signature, slot, err, memo: null }))
  }
  const answer = ({ id, method, params }: Asked) => {
    const isListing = method === 'getSignaturesForAddress' && params[0] === TREE
    const result = isListing ? list(params[1]) : chain.answer(method, params)
    return { jsonrpc: '2.0', id, result }
  }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => {
      const asked = JSON.parse(text) as Asked | Asked[]
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
    })
  })
  return new Promise<{ url: string; close: () => void }>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://127.0.0.1:${port}`, close: () => server.close() })
    })
  })
}

it(
  `finds a note among ${MANY} leaves and ${MANY} spam transactions in two minutes of CPU time`,
  async () => {
    const chain = await new FakeChain().open()
    const ticket: Ticket = { program: PROGRAM, orderId: new Uint8Array(16), note: note() }
    await chain.deposit(ticket.note, ticket.orderId)
    const leaves = Array.from({ length: MANY }, (_, index) => BigInt(index + 1))
    for (let at = 0; at < MANY; at += 10) {
      chain.fill(leaves.slice(at, at + 10), 4)
      for (let times = 0; times < 10; times += 1) chain.spam('landed')
    }
    const node = await serve(chain)
    const before = process.cpuUsage()
    const { url } = node
    const history = { url }
    const { position } = await locateNote(createSolanaRpc(url), poseidon, ticket, { history })
    const { user, system } = process.cpuUsage(before)
    node.close()
    const tookMs = (user + system) / 1_000
    console.log(`found after ${Math.round(tookMs / 1_000)} s of processor time`)
    expect(position.leafIndex).toBe(0n)
    expect(tookMs).toBeLessThan(LIMIT_MS)
  },
  10 * LIMIT_MS,
)
