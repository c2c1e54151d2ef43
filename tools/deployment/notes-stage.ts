import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { VKEY_SHA256 } from '@sotto/protocol'
import { readProgramFacts } from '@sotto/recovery'
import { address, type Address } from '@solana/kit'
import type { Chain } from '../../demo/src/chain.ts'
import { makeStage } from '../../demo/src/make-stage.ts'
import { waitingPassage } from '../../demo/src/passage.ts'
import { silence } from '../../demo/src/progress.ts'
import { FRUGAL } from '../../demo/src/sizes.ts'
import { QUICK_DELAYS } from '../../demo/src/stack/local-stack.ts'
import { PROGRAM_FILE, startServer, type ServerReady } from '../../demo/src/stack/services.ts'
import type { StartedProcess } from '../../demo/src/stack/child-process.ts'
import type { Treasury } from '../../demo/src/stack/treasury.ts'
import type { OpenedStage } from '../../demo/src/stage.ts'
import type { Cast } from './cast.ts'

export interface Market {
  readonly chain: Chain
  readonly treasury: Treasury
  readonly mint: Address
  readonly apiKey: string
}

/** Starts the service on the pool that the guide created, with the guide's settings and keys, and with short delays. */
export async function openNotesStage({ env }: Cast, market: Market): Promise<OpenedStage> {
  const { chain, treasury, mint, apiKey } = market
  const own = Object.entries(env).filter(([name]) => name.startsWith('SOTTO_'))
  const settings = { ...Object.fromEntries(own), ...QUICK_DELAYS }
  let service: StartedProcess<ServerReady> | undefined
  const program = address(env['PROGRAM'] ?? '')
  // A released service accepts another program only if the operator has configured the hash of that program.
  const startService = async () => {
    const { isExpected, sha256 } = await readProgramFacts(chain.rpc, program)
    const verified = { SOTTO_PROGRAM_SHA256: sha256, SOTTO_VKEY_SHA256: VKEY_SHA256 }
    service = await startServer({ ...settings, ...(isExpected ? {} : verified) })
  }
  const stopService = async () => {
    await service?.stop()
    service = undefined
  }
  await startService()
  const relayers = [env['RELAYER'] as Address]
  const setup = {
    apiKey,
    sendPageKey: '',
    usdc: mint,
    partner: env['PARTNER'] as Address,
    relayers,
  }
  const rpcUrl = env['SOTTO_RPC_URL'] ?? ''
  const baseUrl = `http://127.0.0.1:${env['SOTTO_PORT']}`
  const stack = {
    ...{ rpcUrl, program, baseUrl, docsUrl: '', setup, sizes: FRUGAL, startService, stopService },
    ended: new Promise<string>(() => undefined),
  }
  const passage = waitingPassage(chain, silence)
  const stage = await makeStage(stack, { chain, treasury, passage, progress: silence })
  return { stage, relayers, close: stopService }
}

/**
 * Writes the program's next version into a file: the same code with one changed log text. Its hash differs from the
 * current program's.
 */
export async function writeNextCode(folder: string): Promise<string> {
  const code = await readFile(PROGRAM_FILE)
  const [from, to] = [Buffer.from('sett'), Buffer.from('SETT')]
  let places = 0
  for (let at = code.indexOf(from); at >= 0; at = code.indexOf(from, at + 1)) {
    code.set(to, at)
    places += 1
  }
  if (places === 0) throw new Error('the program has no text to change')
  const file = path.join(folder, 'next.so')
  await writeFile(file, code)
  return file
}
