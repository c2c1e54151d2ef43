import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../../../demo/src/stack/built-program.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import type { Stack } from '../settlement/stack/stack.ts'
import { writeKeypair } from '../settlement/stack/wallet.ts'
import {
  fromText,
  toText,
  type Doom,
  type OrderingDoom,
  type ProofAnswer,
  type ProofRequest,
} from './doom.ts'
import type { KillPoint } from './kill-point.ts'

const ENTRY = fileURLToPath(new URL('./doomed-worker.ts', import.meta.url))
const ORDERS_ENTRY = fileURLToPath(new URL('./doomed-orders.ts', import.meta.url))
/** Length of a lease in milliseconds. It is short, so that the next worker soon takes over this worker's orders. */
export const LEASE_MS = 1_500

/**
 * Runs a worker that kills itself at a point, and waits until it is dead. The stack's prover makes its proofs.
 * @returns the signal that ended the worker.
 */
export async function dieAt(
  stack: Stack,
  databaseUrl: string,
  point: KillPoint,
  aheadMs = 0,
): Promise<string | null> {
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
  const child = fork(await builtProgram(ENTRY), [JSON.stringify(doom)], {
    execArgv: [],
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.on('message', ({ id, witness }: ProofRequest) => {
    stack.prover.prove(fromText(witness)).then(
      (proof) => {
        const answer: ProofAnswer = { id, proof: Buffer.from(proof).toString('base64') }
        // The worker may already have been killed, as intended.
        if (child.connected) child.send(answer, () => undefined)
      },
      () => undefined,
    )
  })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal
}

/** Runs a process that orders a payment and kills itself at a point. @returns the signal that ended the process. */
export async function dieOrderingAt(
  stack: Stack,
  databaseUrl: string,
  point: KillPoint,
  ordered: Pick<OrderingDoom, 'payment' | 'signed'>,
): Promise<string | null> {
  const doom: OrderingDoom = { point, databaseUrl, keys: dirname(stack.adminFile), ...ordered }
  const child = fork(await builtProgram(ORDERS_ENTRY), [toText(doom)], {
    execArgv: [],
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  return signal
}
