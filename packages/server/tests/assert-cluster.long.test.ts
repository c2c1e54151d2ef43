import { NATIVE_MINT, PROGRAM_SHA256 } from '@sotto/protocol'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { createRpcClient } from '../src/adapters/rpc/rpc-client.ts'
import { readConfig, type Config } from '../src/config.ts'
import { assertCluster } from '../src/start/assert-cluster.ts'
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

/**
 * Settings that are valid for mainnet. But their `SOTTO_VKEY_SHA256` isn't the hash of this program's verifying key.
 */
const MAINNET = {
  SOTTO_CLUSTER: 'mainnet',
  SOTTO_PROFILE: 'production',
  SOTTO_METRICS_PORT: '0',
  SOTTO_DATABASE_URL: 'postgres://127.0.0.1/sotto',
  SOTTO_ALLOW_FILE_KEYS: 'true',
  SOTTO_PROGRAM_SHA256: PROGRAM_SHA256,
  SOTTO_VKEY_SHA256: 'b'.repeat(64),
}

const check = (one: Config) => assertCluster(createRpcClient(one.RPC_URL), one)

it('a cluster with the program of the repository is accepted', async () => {
  await check(config(await start('program')))
})

it('a cluster without the program is refused, and the error names the file to deploy', async () => {
  await expect(check(config(await start('no program')))).rejects.toThrow(
    /deploy program\/artefacts/,
  )
})

it('a program is refused if its hash differs from the configured hash', async () => {
  const rpcUrl = await start('program')
  const hash = '0'.repeat(64)
  const strict = config(rpcUrl, { SOTTO_PROGRAM_SHA256: hash })
  await expect(check(strict)).rejects.toThrow(/SOTTO_PROGRAM_SHA256/)
  await check(config(rpcUrl, { SOTTO_PROGRAM_SHA256: PROGRAM_SHA256 }))
})

it('a local cluster is refused if mainnet is configured', async () => {
  const rpcUrl = await start('program')
  await expect(check(config(rpcUrl, MAINNET))).rejects.toThrow(/another cluster/)
})

type Alter = (method: string, answer: { result: unknown }) => void

/** Starts a proxy of the local chain that alters some responses. */
async function behind(rpcUrl: string, alter: Alter): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const { method } = JSON.parse(body) as { method: string }
      const headers = { 'Content-Type': 'application/json' }
      const answered = await fetch(rpcUrl, { method: 'POST', headers, body })
      const answer = (await answered.json()) as { result: unknown }
      alter(method, answer)
      response.writeHead(200, headers).end(JSON.stringify(answer))
    })()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Replaces the genesis hash with mainnet's genesis hash, which no local chain can have. */
const asMainnet: Alter = (method, answer) => {
  if (method === 'getGenesisHash') answer.result = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
}

it('a cluster is refused if it lacks a feature', async () => {
  const rpcUrl = await start('program')
  let isPending = false
  const { url, close } = await behind(rpcUrl, (method, answer) => {
    const { value } = answer.result as { value: { data: string[]; owner: string }[] }
    // The third listed feature is Poseidon's feature.
    if (method !== 'getMultipleAccounts' || !value[0]?.owner.startsWith('Feature1')) return
    if (isPending) value[2]!.data[0] = Buffer.alloc(9).toString('base64')
    else value.splice(2, 1, null as never)
  })
  const missing = /enable_poseidon_syscall \(FL9RsQA6.*deposits/
  await expect(check(config(url))).rejects.toThrow(missing)
  isPending = true
  await expect(check(config(url))).rejects.toThrow(missing)
  close()
})

it('mainnet is refused with the development key', async () => {
  const { url, close } = await behind(await start('program'), asMainnet)
  await expect(check(config(url, MAINNET))).rejects.toThrow(
    /use a release whose key comes from a ceremony/,
  )
  await expect(check(config(url))).rejects.toThrow(/leads to mainnet/)
  close()
})

it('an error names an unreachable endpoint only by its host', async () => {
  await expect(check(config('http://user:secret@127.0.0.1:9'))).rejects.toThrow(
    /^no node answers at SOTTO_RPC_URL \(127\.0\.0\.1:9\)/,
  )
})

it('a public cluster is refused if localnet is configured, even in test mode', async () => {
  const devnet = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
  const node = await behind(await start('program'), (method, answer) => {
    if (method === 'getGenesisHash') answer.result = devnet
  })
  try {
    await check(config(node.url, { SOTTO_CLUSTER: 'devnet' }))
    for (const more of [{}, { SOTTO_TEST_MODE: 'true' }]) {
      await expect(check(config(node.url, more))).rejects.toThrow(
        /SOTTO_CLUSTER is localnet, but SOTTO_RPC_URL leads to devnet/,
      )
    }
  } finally {
    node.close()
  }
})
