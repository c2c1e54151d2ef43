import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { builtProgram } from '../../../demo/src/stack/built-program.ts'
import { openPglite } from '../src/adapters/store/pglite.ts'
import { makeWallet, writeKeypair } from './settlement/stack/wallet.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const LEAST = {
  // Nothing listens on the discard port.
  SOTTO_RPC_URL: 'http://127.0.0.1:9',
  SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
  SOTTO_CLUSTER: 'localnet',
}

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function run(words: readonly string[], env: Record<string, string>): Promise<Ended> {
  // Most commands open PGlite. Optimising its WebAssembly would take longer than the command runs.
  const args = ['--liftoff-only', await builtProgram(MAIN), ...words]
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    )
  })
}

const newFolder = () => mkdtemp(join(tmpdir(), 'sotto-main-'))

let created: Promise<string> | undefined
/**
 * Makes a folder with an empty database. The command `account list` makes the first database, which takes seconds. All
 * later databases are copies of the first database.
 */
async function folderWithDatabase(): Promise<string> {
  created ??= newFolder().then(async (folder) => {
    const { code, err } = await run(['account', 'list'], { ...LEAST, SOTTO_DATA: folder })
    expect([code, err]).toEqual([0, ''])
    return folder
  })
  const folder = await newFolder()
  await cp(await created, folder, { recursive: true })
  return folder
}

it('lists every mistake in the configuration and exits with 3', async () => {
  const { code, err } = await run(['account', 'list'], { SOTTO_CLUSTER: 'moon' })
  expect(code).toBe(3)
  for (const name of ['SOTTO_RPC_URL', 'SOTTO_PROGRAM_ID', 'SOTTO_CLUSTER']) {
    expect(err).toContain(name)
  }
})

it('prints the resolved settings without secrets', async () => {
  const file = join(await newFolder(), 'sotto.toml')
  await writeFile(file, 'cluster = "devnet"\n[jupiter]\napi_key = "hunter2"\n')
  const { code, out } = await run(['config', 'check', '--config', file, '--json'], {
    ...LEAST,
    SOTTO_CLUSTER: '',
  })
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    SOTTO_CLUSTER: 'devnet (file)',
    SOTTO_RPC_URL: 'http://127.0.0.1:9 (environment)',
    SOTTO_JUPITER_API_KEY: '(hidden) (file)',
    SOTTO_PORT: '8080 (default)',
  })
})

it('names the process that has the data folder open and exits with 4', async () => {
  const folder = await folderWithDatabase()
  const database = await openPglite(folder)
  const { code, err } = await run(['account', 'list'], { ...LEAST, SOTTO_DATA: folder })
  expect(code).toBe(4)
  expect(err).toContain(`open in process ${process.pid}`)
  await database.close()
})

it('creates accounts and keys', async () => {
  const env = { ...LEAST, SOTTO_DATA: await folderWithDatabase() }
  const add = ['account', 'add', '--id', 'acme', '--name', 'Acme', '--json']
  expect((await run(add, env)).code).toBe(0)
  expect((await run(add, env)).code).toBe(0)
  const key = await run(['key', 'add', '--account', 'acme', '--json'], env)
  const { apiKey } = JSON.parse(key.out) as { apiKey: string }
  expect(apiKey).toMatch(/^sotto_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
  const list = await run(['key', 'list', '--account', 'acme', '--json'], env)
  expect(JSON.parse(list.out)).toMatchObject({ keys: [{ mode: 'test', revokedAt: null }] })
  expect(list.out).not.toContain(apiKey.split('_')[3])
  expect((await run(['key', 'add', '--account', 'nobody'], env)).err).toContain('account add')
})

it('does not start without a chain', async () => {
  const folder = await folderWithDatabase()
  await writeKeypair(join(folder, 'authoriser.json'), makeWallet())
  const env = { ...LEAST, SOTTO_DATA: folder, SOTTO_KEYS: folder, SOTTO_LOG_LEVEL: 'silent' }
  const { code, err } = await run(['serve'], env)
  expect(code).toBe(1)
  expect(err).toContain('no node answers at SOTTO_RPC_URL')
  expect((await run(['account', 'list'], env)).code).toBe(0)
})

it('refuses to share the embedded database between processes', async () => {
  const { out } = await run(['serve', '--help'], LEAST)
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'api answers HTTP, worker follows the chain and pays',
  )
  const env = { ...LEAST, SOTTO_DATA: await newFolder(), SOTTO_LOG_LEVEL: 'silent' }
  for (const role of ['api', 'worker']) {
    const { code, err } = await run(['serve', '--role', role], env)
    expect([code, err]).toEqual([1, expect.stringContaining('set SOTTO_DATABASE_URL')])
  }
})

it('exits with 2 for a command that does not exist', async () => {
  expect((await run(['dance'], LEAST)).code).toBe(2)
})

it('a process that still starts ends with 0 when it gets SIGTERM', async () => {
  // The process waits for the answer of this node.
  const node = createServer().listen(0, '127.0.0.1')
  await once(node, 'listening')
  const { port } = node.address() as AddressInfo
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', ...LEAST, SOTTO_DATA: await newFolder() },
    SOTTO_RPC_URL: `http://127.0.0.1:${port}`,
  }
  const child = spawn(process.execPath, [await builtProgram(MAIN), 'serve'], { env })
  await once(node, 'request')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  node.closeAllConnections()
  node.close()
})
