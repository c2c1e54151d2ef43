import { setTimeout as sleep } from 'node:timers/promises'
import { NATIVE_MINT } from '@sotto/protocol'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import {
  PROGRAM,
  startLocalnetProcess,
  type LocalnetProcess,
} from '../../packages/server/tests/settlement/stack/localnet-process.ts'
import { startPostgres, type StartedPostgres } from '../../packages/server/tests/start-postgres.ts'
import { freePort } from '../../testing/stage/free-port.ts'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { PROGRAM_HASH_FILE } from '../build/places.ts'
import { readFinalStage } from './dockerfile.ts'
import { ImageProcess, startService } from './image-process.ts'
import { layOutImage } from './lay-out-image.ts'

const LAMPORTS = 100_000_000_000

let root: string
let folder: string
let postgres: StartedPostgres
let localnet: LocalnetProcess
let env: Record<string, string>
let admin: { readonly file: string; readonly address: string }
let authoriser: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sotto-operator-'))
  const key = async (name: string) => (await keypairFile(path.join(folder, name))).address
  admin = { file: path.join(folder, 'admin.json'), address: await key('admin.json') }
  authoriser = await key('keys/authoriser.json')
  const relayer = await key('keys/relayers/relayer-1.json')
  ;[root, postgres, localnet] = await Promise.all([
    layOutImage(),
    startPostgres(),
    startLocalnetProcess(await key('admin.json')),
  ])
  for (const one of [admin.address, relayer]) {
    await localnet.local('requestAirdrop', [one, LAMPORTS])
  }
  env = {
    SOTTO_CLUSTER: 'localnet',
    SOTTO_RPC_URL: localnet.rpcUrl,
    SOTTO_PROGRAM_ID: PROGRAM,
    SOTTO_DATABASE_URL: await postgres.createDatabase(),
    SOTTO_KEYS: path.join(folder, 'keys'),
    SOTTO_HOST: '127.0.0.1',
    SOTTO_PORT: String(await freePort()),
    SOTTO_METRICS_PORT: String(await freePort()),
    SOTTO_DRAIN_SECONDS: '0',
  }
})
afterAll(async () => {
  await Promise.all([localnet?.stop(), postgres?.stop()])
  if (root !== undefined) await rm(path.dirname(root), { recursive: true })
  await rm(folder, { recursive: true })
})

/** Runs an operator's command and returns its output. */
async function operate(...words: string[]): Promise<Record<string, string>> {
  const { code, out, err } = await startService(root, ['--json', ...words], env).ended
  expect({ code, err }, words.join(' ')).toMatchObject({ code: 0 })
  return JSON.parse(out) as Record<string, string>
}

it('the image contains the program hash and the prover’s licence, but no sources', async () => {
  const { workdir } = readFinalStage()
  const at = (name: string) => readFile(path.join(root, workdir, name), 'utf8')
  expect(await at(PROGRAM_HASH_FILE)).toMatch(/^[0-9a-f]{64} {2}sotto_program\.so\n$/)
  expect(await at('prover/LICENSE')).toContain('GNU GENERAL PUBLIC LICENSE')
  await expect(at('node_modules/tsx/package.json')).rejects.toThrow(/ENOENT/)
  await expect(at('packages/server/src/main.ts')).rejects.toThrow(/ENOENT/)
})

it('the command line prints help, and names a missing setting', async () => {
  const help = await startService(root, ['--help'], {}).ended
  expect(help).toMatchObject({ code: 0, err: '' })
  expect(help.out).toContain('serve')
  const refused = await startService(root, ['serve'], { SOTTO_CLUSTER: 'devnet' }).ended
  expect(refused.code).toBe(3)
  // The image's profile requires this setting, so the service names the setting if it is missing.
  expect(refused.err).toContain('SOTTO_DATABASE_URL')
})

it('the service in the image serves requests, reports its health and stops on request', async () => {
  expect(await operate('migrate')).toMatchObject({ schema: expect.stringMatching(/^\d{4}_/) })
  const init = await operate(
    ...['pool', 'init', '--admin', admin.address, '--payer', admin.address],
    ...['--upgrade-authority', admin.address, '--authoriser', authoriser, '--unsigned'],
  )
  const { transaction } = await operate(
    ...['transaction', 'sign', init['transaction'] ?? '', '--keypair', admin.file],
  )
  await operate('transaction', 'submit', transaction ?? '')
  expect(await operate('pool', 'show')).toMatchObject({ admin: admin.address, tree: init['tree'] })
  const asset = ['--mint', NATIVE_MINT, '--symbol', 'SOL', '--name', 'Solana']
  const limits = ['--input-max', '1000000000', '--swap-cap', '0', '--swap-period', '3600']
  await operate(
    ...['asset', 'add', '--admin', admin.file, ...asset, ...limits, '--service-bps', '20'],
    ...['--network-fee-exists', '10000', '--network-fee-created', '20000'],
  )

  const health = readFinalStage().healthcheck
  const isHealthy = async (role: string) =>
    (await new ImageProcess(root, health, { ...env, SOTTO_ROLE: role }).ended).code === 0
  expect(await isHealthy('api')).toBe(false)

  const service = startService(root, ['--json', ...readFinalStage().command], env)
  const { baseUrl = '' } = await service.ready
  expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200)
  expect((await fetch(`${baseUrl}/docs/viewer/swagger-ui.css`)).status).toBe(200)
  expect(await isHealthy('api')).toBe(true)
  // A worker is healthy once it has followed the chain.
  while (!(await isHealthy('worker'))) await sleep(500)
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ code: 0 })
})

it('an API starts without the relayers’ keys, and a worker without the authoriser’s key', async () => {
  const keys = path.join(folder, 'keys')
  const own = async (role: string, setting: Readonly<Record<string, string>>) =>
    startService(root, ['--json', 'serve'], {
      ...env,
      // The keystore, without signing keys.
      SOTTO_KEYS: path.join(folder, 'keystore'),
      SOTTO_PORT: String(await freePort()),
      SOTTO_METRICS_PORT: String(await freePort()),
      SOTTO_ROLE: role,
      ...setting,
    })
  const relayers = `file:${path.join(keys, 'relayers/relayer-1.json')}`
  const worker = await own('worker', { SOTTO_RELAYER_KEYS: relayers })
  expect(await worker.ready).toMatchObject({ roles: 'worker' })
  const key = `file:${path.join(keys, 'authoriser.json')}`
  const api = await own('api', { SOTTO_AUTHORISER_KEY: key })
  const { baseUrl = '' } = await api.ready
  while ((await fetch(`${baseUrl}/readyz`)).status !== 200) await sleep(500)
  for (const one of [worker, api]) {
    one.child.kill('SIGTERM')
    expect(await one.ended).toMatchObject({ code: 0 })
  }
})

it('the prover makes a proof with only the files of the image', async () => {
  const text = await readFile(path.join(repositoryRoot, 'vectors/circuit.json'), 'utf8')
  const { cases } = JSON.parse(text) as { cases: { input: object; publicInputs: string[] }[] }
  const prover = spawn(
    process.execPath,
    [path.join(root, readFinalStage().workdir, 'prover/sotto-prover.mjs')],
    { env: {}, stdio: 'pipe' },
  )
  let out = ''
  prover.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  prover.stdin.end(`${JSON.stringify({ id: '1', input: cases[0]?.input })}\n`)
  expect(await once(prover, 'close')).toEqual([0, null])
  const answer = JSON.parse(out.trim().split('\n').at(-1) ?? '') as object
  expect(answer).toMatchObject({ ok: true, publicInputs: cases[0]?.publicInputs })
})
