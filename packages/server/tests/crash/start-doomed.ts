import { build } from 'esbuild'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import type { Stack } from '../settlement/stack/stack.ts'
import { writeKeypair } from '../settlement/stack/wallet.ts'
import { fromText, type Doom, type ProofAnswer, type ProofRequest } from './doom.ts'
import type { KillPoint } from './kill-point.ts'

const ENTRY = fileURLToPath(new URL('./doomed-worker.ts', import.meta.url))
/** So short that the next worker soon takes over what this one held. */
export const LEASE_MS = 1_500

// What esbuild puts together as a module has no `require`, which some dependencies ask for.
const REQUIRE =
  "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)"

/**
 * Puts the doomed worker into one file, once for all deaths: read module by module, each would take
 * longer to start than to die. @returns the file's path.
 */
export async function bundleDoomed(folder: string): Promise<string> {
  const outfile = join(folder, 'doomed-worker.mjs')
  await build({
    entryPoints: [ENTRY],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: REQUIRE },
    logLevel: 'error',
  })
  return outfile
}

/**
 * Runs a worker that kills itself at a point, and waits for its death. Its proofs are made by the
 * stack's prover. @returns the signal that ended it.
 */
export async function dieAt(
  stack: Stack,
  where: { readonly bundle: string; readonly databaseUrl: string },
  point: KillPoint,
  aheadMs = 0,
): Promise<string | null> {
  const { bundle, databaseUrl } = where
  const keys = dirname(stack.adminFile)
  const relayerFiles = stack.relayers.map((_, index) => join(keys, 'relayers', `${index}.json`))
  await mkdir(join(keys, 'relayers'), { recursive: true })
  await Promise.all(relayerFiles.map((file, index) => writeKeypair(file, stack.relayers[index]!)))
  const { localnet, tree } = stack
  const domain = Buffer.from(stack.domain).toString('hex')
  const chain = { rpcUrl: localnet.rpcUrl, program: PROGRAM, tree, domain }
  const doom: Doom = {
    ...{ point, ...chain, databaseUrl, keys, relayerFiles, aheadMs },
    leaseMs: LEASE_MS,
  }
  const child = fork(bundle, [JSON.stringify(doom)], {
    execArgv: [],
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('message', ({ id, witness }: ProofRequest) => {
    stack.prover.prove(fromText(witness)).then(
      (proof) => {
        const answer: ProofAnswer = { id, proof: Buffer.from(proof).toString('base64') }
        // It may have died meanwhile: that is what it is for.
        if (child.connected) child.send(answer, () => undefined)
      },
      () => undefined,
    )
  })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal
}
