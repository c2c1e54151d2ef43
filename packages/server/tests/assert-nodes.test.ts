import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig, type Config } from '../src/config.ts'
import { assertNodes } from '../src/start/assert-nodes.ts'
import { openNodes } from '../src/start/open-rpc.ts'
import { startRpc, type RpcServer } from './remote/rpc-server.ts'

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
const TESTNET = '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY'
const PRIVATE = '11111111111111111111111111111111'

let nodes: [RpcServer, RpcServer, RpcServer]
beforeEach(async () => {
  nodes = await Promise.all([startRpc(1_000), startRpc(1_001), startRpc(1_002)])
  for (const node of nodes) node.genesis = DEVNET
})
afterEach(() => Promise.all(nodes.map((one) => one.close())))

const [FIRST, SECOND, THIRD] = [0, 1, 2] as const
const url = (place: 0 | 1 | 2) => nodes[place].url

function check(more: Record<string, string> = {}): Promise<unknown> {
  const config: Config = readConfig({
    SOTTO_RPC_URL: url(FIRST),
    SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
    SOTTO_CLUSTER: 'devnet',
    ...more,
  })
  return assertNodes(config, openNodes(config))
}

it.each(['SOTTO_RPC_URLS', 'SOTTO_RECIPIENT_RPC_URLS', 'SOTTO_SEND_RPC_URLS'])(
  'a node of another cluster in %s is refused',
  async (name) => {
    const all = { [name]: `${url(SECOND)},${url(THIRD)}` }
    await check(all)
    nodes[THIRD].genesis = MAINNET
    const { host } = new URL(url(THIRD))
    await expect(check(all)).rejects.toThrow(
      `${name} names a node of another cluster than SOTTO_RPC_URL (${host}); correct the URL or remove it`,
    )
  },
)

it('a node for recipients is refused if it belongs to another cluster, even if it answers only the second request', async () => {
  nodes[SECOND].genesis = MAINNET
  nodes[SECOND].faults.push(503)
  const { host } = new URL(url(SECOND))
  await expect(check({ SOTTO_RECIPIENT_RPC_URLS: url(SECOND) })).rejects.toThrow(
    `SOTTO_RECIPIENT_RPC_URLS names a node of another cluster than SOTTO_RPC_URL (${host}); correct`,
  )
})

it('a node for recipients is not read if it belongs to another cluster, although it is first in the list', async () => {
  nodes[SECOND].genesis = MAINNET
  nodes[SECOND].faults.push(503)
  await check({ SOTTO_RECIPIENT_RPC_URLS: `${url(SECOND)},${url(THIRD)}` })
  expect(nodes[SECOND].methods()).toEqual([])
  expect(nodes[THIRD].methods()).toEqual(['getGenesisHash'])
})

it('a node that does not answer at the start does not prevent the start', async () => {
  nodes[SECOND].faults.push(503, 503, 503)
  await check({ SOTTO_RPC_URLS: url(SECOND), SOTTO_SEND_RPC_URLS: url(THIRD) })
  nodes[THIRD].error = { code: -32_601, message: 'Method not found' }
  await check({ SOTTO_RPC_URLS: url(SECOND), SOTTO_SEND_RPC_URLS: url(THIRD) })
})

it.each([
  ['localnet', MAINNET, 'mainnet'],
  ['localnet', DEVNET, 'devnet'],
  ['localnet', TESTNET, 'testnet'],
  ['devnet', TESTNET, 'testnet'],
  ['devnet', MAINNET, 'mainnet'],
])('%s is refused if the node has genesis %s', async (cluster, genesis, named) => {
  nodes[FIRST].genesis = genesis
  await expect(check({ SOTTO_CLUSTER: cluster })).rejects.toThrow(
    `SOTTO_CLUSTER is ${cluster}, but SOTTO_RPC_URL leads to ${named}; correct one of them`,
  )
})

it('a private chain may have the name localnet or devnet', async () => {
  nodes[FIRST].genesis = PRIVATE
  await check({ SOTTO_CLUSTER: 'localnet' })
  await check({ SOTTO_CLUSTER: 'devnet' })
})
