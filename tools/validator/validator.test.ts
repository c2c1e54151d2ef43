import { REQUIRED_FEATURES } from '@sotto/protocol'
import { isAddress } from '@solana/kit'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtExecutable, EXECUTABLE, findValidator, VERSION } from './find-validator.ts'
import mainnet from './mainnet-features.json' with { type: 'json' }
import { argumentsOf, startValidator } from './start-validator.ts'
import { assertFreePorts, freeRange } from './validator-ports.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-validator-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Writes an executable that replaces the validator. Building the real validator takes most of an hour. */
async function install(file: string, script: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, script)
  await chmod(file, 0o755)
  return file
}
const reporting = (version: string) =>
  `#!/bin/sh\necho "${EXECUTABLE} ${version} (src:0; feat:1)"\n`

describe('finding the validator', () => {
  const environment = () => ({ XDG_CACHE_HOME: join(folder, 'cache'), PATH: join(folder, 'bin') })

  it('prefers the built executable to an executable on the path', async () => {
    const env = environment()
    const onPath = await install(join(env.PATH, EXECUTABLE), reporting(VERSION))
    expect(await findValidator(env)).toEqual({ executable: onPath })
    const built = await install(builtExecutable(env), reporting(VERSION))
    expect(built).toContain(join(folder, 'cache'))
    expect(await findValidator(env)).toEqual({ executable: built })
  })

  it('refuses another version', async () => {
    const env = environment()
    const onPath = await install(join(env.PATH, EXECUTABLE), reporting('4.1.0'))
    expect(await findValidator(env)).toEqual({
      reasons: [`${onPath} is version 4.1.0, and ${VERSION} is needed`],
    })
    await install(onPath, '#!/bin/sh\nexit 1\n')
    expect(await findValidator(env)).toEqual({
      reasons: [`${onPath} is version unknown, and ${VERSION} is needed`],
    })
  })

  it('gives no reason if no executable exists', async () => {
    expect(await findValidator(environment())).toEqual({ reasons: [] })
  })

  it('takes only the executable that SOTTO_VALIDATOR names', async () => {
    const env = { ...environment(), SOTTO_VALIDATOR: join(folder, 'own') }
    await install(join(env.PATH, EXECUTABLE), reporting(VERSION))
    await expect(findValidator(env)).rejects.toThrow('own is not an executable file')
    await install(env.SOTTO_VALIDATOR, reporting('5.0.0'))
    await expect(findValidator(env)).rejects.toThrow('own is version 5.0.0')
    await install(env.SOTTO_VALIDATOR, reporting(VERSION))
    expect(await findValidator(env)).toEqual({ executable: env.SOTTO_VALIDATOR })
  })
})

describe("mainnet's features", () => {
  it('include each feature that the program needs', () => {
    expect(mainnet.validator).toBe(VERSION)
    const missing = Object.keys(mainnet.notActivated)
    expect(missing.filter((address) => !isAddress(address))).toEqual([])
    expect(REQUIRED_FEATURES.filter(({ address }) => missing.includes(address))).toEqual([])
  })

  it('are passed to the validator as arguments', () => {
    const more = ['--bpf-program', 'OTHER', 'other.so']
    const options = { folder, firstPort: 20_000, shreds: 12_345, more }
    const line = argumentsOf(options, 'PAYER').join(' ')
    for (const feature of Object.keys(mainnet.notActivated)) {
      expect(line).toContain(`--deactivate-feature ${feature}`)
    }
    expect(line).toContain('--limit-ledger-size 12345')
    expect(line).toContain('--bpf-program OTHER other.so')
    expect(line).toContain('--rpc-port 20000 --faucet-port 20002')
    expect(line).toMatch(/--upgradeable-program Sotto1+ \S+sotto_program\.so PAYER/)
  })
})

/** A program that answers on the port in its arguments, as a validator does after its start. */
const ANSWERING = `#!${process.execPath}
const port = Number(process.argv[process.argv.indexOf('--rpc-port') + 1])
const results = { getSlot: 5, getHealth: 'ok' }
require('node:http').createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const { method } = JSON.parse(body)
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: results[method] }))
}).listen(port, '127.0.0.1')
`

describe('starting the validator', () => {
  const start = async (script: string) => {
    const executable = await install(join(folder, EXECUTABLE), script)
    return startValidator({ executable, folder, firstPort: await freeRange(), shreds: 10_000 })
  }

  it('waits until the validator answers', async () => {
    const validator = await start(ANSWERING)
    const port = Number(new URL(validator.rpcUrl).port)
    await expect(assertFreePorts(port)).rejects.toThrow(`port ${port} is in use`)
    await validator.stop()
    await validator.ended
    await assertFreePorts(port)
  })

  it('shows the end of the log if the validator ends by itself', async () => {
    const failing = start('#!/bin/sh\necho "thread panicked: no disk" >&2\nexit 1\n')
    await expect(failing).rejects.toThrow(/validator\.log:\nthread panicked: no disk$/)
  })
})
