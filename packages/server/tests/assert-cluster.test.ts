import { NATIVE_MINT, PROGRAM_SHA256 } from '@sotto/protocol'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { createRpcClient } from '../src/adapters/settlement-chain/rpc-client.ts'
import { readConfig, type Config } from '../src/config.ts'
import { assertCluster } from '../src/operator/assert-cluster.ts'
import {
  PROGRAM,
  startLocalnetProcess,
  type LocalnetProcess,
} from './settlement/stack/localnet-process.ts'

let chain: LocalnetProcess | undefined
afterEach(async () => chain?.stop())

async function start(has: 'program' | 'no program'): Promise<string> {
  chain = await startLocalnetProcess(has === 'program' ? NATIVE_MINT : undefined)
  return chain.rpcUrl
}

function config(rpcUrl: string, more: Record<string, string> = {}): Config {
  return readConfig({
    SOTTO_RPC_URL: rpcUrl,
    SOTTO_PROGRAM_ID: PROGRAM,
    SOTTO_CLUSTER: 'localnet',
    ...more,
  })
}

const check = (one: Config) => assertCluster(createRpcClient(one.RPC_URL), one)

it('the committed program is served', async () => {
  await check(config(await start('program')))
})

it('a program that is not there, or another one, is refused with what to do', async () => {
  await expect(check(config(await start('no program')))).rejects.toThrow(
    /deploy program\/artefacts/,
  )
})

it('a program with other bytes is refused unless its hash was given', async () => {
  const rpcUrl = await start('program')
  const hash = '0'.repeat(64)
  const strict = config(rpcUrl, { SOTTO_PROGRAM_SHA256: hash })
  await expect(check(strict)).rejects.toThrow(/SOTTO_PROGRAM_SHA256/)
  await check(config(rpcUrl, { SOTTO_PROGRAM_SHA256: PROGRAM_SHA256 }))
})

it('a cluster that calls itself mainnet and is another is refused', async () => {
  const rpcUrl = await start('program')
  const mainnet = { SOTTO_CLUSTER: 'mainnet', SOTTO_DATABASE_URL: 'postgres://127.0.0.1/sotto' }
  await expect(check(config(rpcUrl, mainnet))).rejects.toThrow(/another cluster/)
})

/** The local chain behind mainnet's genesis hash, which no chain of ours can have. */
async function posingAsMainnet(rpcUrl: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const { id, method } = JSON.parse(body) as { id: number; method: string }
      const result = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
      const headers = { 'Content-Type': 'application/json' }
      const answer =
        method === 'getGenesisHash'
          ? JSON.stringify({ jsonrpc: '2.0', id, result })
          : await (await fetch(rpcUrl, { method: 'POST', headers, body })).text()
      response.writeHead(200, headers).end(answer)
    })()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

it('mainnet is refused with the development key, and a localnet setting never reaches it', async () => {
  const { url, close } = await posingAsMainnet(await start('program'))
  const mainnet = { SOTTO_CLUSTER: 'mainnet', SOTTO_DATABASE_URL: 'postgres://127.0.0.1/sotto' }
  await expect(check(config(url, mainnet))).rejects.toThrow(/needs a key from a ceremony/)
  await expect(check(config(url))).rejects.toThrow(/leads to mainnet/)
  close()
})

it('an endpoint where nothing answers is named by its host only', async () => {
  await expect(check(config('http://user:secret@127.0.0.1:9'))).rejects.toThrow(
    /^no chain answers at SOTTO_RPC_URL \(127\.0\.0\.1:9\)/,
  )
})
