import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const START = fileURLToPath(new URL('./start.ts', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-start-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Runs `npm start`, and sends a signal to the process when the process reports that it is ready. Returns how the
 * process ended.
 */
async function startAndStop(signal: NodeJS.Signals) {
  const args = ['--import', 'tsx', START, '--json', '--port', '0', '--rpc-port', '0']
  const child = spawn(process.execPath, [...args, '--data', folder])
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    child.kill(signal)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  expect(lines).toHaveLength(1)
  return { code, errors, ready: JSON.parse(lines[0]!) as Record<string, unknown> }
}

it('a new start in the same folder continues with the same keys', async () => {
  const first = await startAndStop('SIGINT')
  expect(first).toMatchObject({ code: 0, errors: '' })
  const names = [
    'baseUrl',
    'sendUrl',
    'consoleUrl',
    'apiKey',
    'rpcUrl',
    'programId',
    'assets',
    'wallet',
    'feeWallet',
    'environment',
  ]
  expect(Object.keys(first.ready)).toEqual(names)
  const file = first.ready['environment'] as string
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const print = `. '${file}' && echo "$SOTTO_API_KEY $SOTTO_WALLET $SOTTO_FEE_WALLET $SOTTO_USDC"`
  const shell = spawnSync('sh', ['-c', print], { encoding: 'utf8' })
  const { apiKey, wallet, feeWallet, assets } = first.ready as {
    apiKey: string
    wallet: { address: string }
    feeWallet: string
    assets: { USDC: string }
  }
  expect(shell.stdout).toBe(`${apiKey} ${wallet.address} ${feeWallet} ${assets.USDC}\n`)
  const second = await startAndStop('SIGTERM')
  expect(second).toMatchObject({ code: 0, errors: '' })
  expect(second.ready['apiKey']).toBe(first.ready['apiKey'])
  expect(second.ready['assets']).toEqual(first.ready['assets'])
  expect(second.ready['wallet']).toEqual(first.ready['wallet'])
})

it('a port that is in use is refused before the set-up', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const option of ['--port', '--rpc-port']) {
    const ports = option === '--port' ? ['--rpc-port', '0'] : ['--port', '0']
    const args = [
      '--import',
      'tsx',
      START,
      ...ports,
      option,
      `${port}`,
      '--data',
      join(folder, 'x'),
    ]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain(`port ${port} is in use`)
    expect(stderr).toContain(`choose another port with ${option}`)
  }
  server.close()
})
