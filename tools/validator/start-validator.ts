import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { LOCAL_PROGRAM, PROGRAM_FILE } from '../../demo/src/stack/services.ts'
import mainnet from './mainnet-features.json' with { type: 'json' }
import { assertFreePorts, portsFrom } from './validator-ports.ts'

export interface ValidatorOptions {
  readonly executable: string
  /** Holds ledger, log and the payer's keypair. */
  readonly folder: string
  /** The first of the ports that the validator uses: see `portsFrom`. */
  readonly firstPort: number
  /** True if the folder is only for this run. It is then removed with its ledger, even if this process is killed. */
  readonly isTemporary?: boolean
  /** True for a cluster without the program, to which it is deployed later. */
  readonly isBare?: boolean
  /** Number of shreds that the ledger keeps. Older blocks and transactions are pruned. */
  readonly shreds: number
  /** More arguments, for example for other programs in the genesis block. */
  readonly more?: readonly string[]
}

export interface RunningValidator {
  readonly rpcUrl: string
  /** The program's address. It is deployed, and the payer is its upgrade authority. */
  readonly program: string
  /** Keypair file of a wallet with 500 million SOL. */
  readonly payerFile: string
  readonly stop: () => Promise<void>
  /** If the validator ends by itself, resolves with its last log lines. */
  readonly ended: Promise<string>
}

/**
 * More shreds than one hour of history has. With 500,000, a validator had pruned its first transactions after 36
 * minutes. A validator without a limit writes 5 GB an hour.
 */
export const SHREDS = 2_000_000
/** The validator prunes every 512 slots. A limit below the number of shreds in these slots would have no effect. */
export const SHREDS_MIN = 10_000

/**
 * Runs a program until the pipe on standard input ends, which it does when this process ends for any reason. Otherwise
 * a run that was killed would leave a node that keeps writing its ledger.
 */
const WHILE_PIPE_IS_OPEN = `
exec 3<&0
"$@" </dev/null 3<&- & node=$!
{
  cat <&3
  kill "$node"
  while kill -0 "$node"; do sleep 1; done
  rm -rf "$REMOVED_AFTERWARDS"
} >/dev/null 2>&1 &
wait "$node"
`

/** The validator's arguments. Every start begins a new ledger. */
export function argumentsOf(options: Omit<ValidatorOptions, 'executable'>, payer: string) {
  const { folder, firstPort, shreds } = options
  const { rpc, faucet, gossip, others } = portsFrom(firstPort)
  return [
    ...['--ledger', join(folder, 'ledger'), '--reset', '--log', '--bind-address', '127.0.0.1'],
    ...['--rpc-port', `${rpc}`, '--faucet-port', `${faucet}`, '--gossip-port', `${gossip}`],
    ...['--dynamic-port-range', `${others.first}-${others.last}`],
    ...['--limit-ledger-size', `${shreds}`, '--mint', payer],
    ...(options.isBare === true
      ? []
      : ['--upgradeable-program', LOCAL_PROGRAM, PROGRAM_FILE, payer]),
    ...(options.more ?? []),
    ...Object.keys(mainnet.notActivated).flatMap((feature) => ['--deactivate-feature', feature]),
  ]
}

const LAST_LINES = 12
async function lastLines(file: string): Promise<string> {
  // The file may be gone, because a temporary folder is removed at the end.
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-LAST_LINES).join('\n')
}

const POLL_MS = 250
const STARTING_MS = 120_000
/** A program of the genesis block can be called from the slot after it. */
const FIRST_SLOT = 2

async function ask(rpcUrl: string, method: string): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
  return ((await answer.json()) as { result?: unknown }).result
}

async function isReady(rpcUrl: string): Promise<boolean> {
  try {
    const slot = await ask(rpcUrl, 'getSlot')
    return (
      (await ask(rpcUrl, 'getHealth')) === 'ok' && typeof slot === 'number' && slot >= FIRST_SLOT
    )
  } catch {
    return false
  }
}

async function untilReady(child: ChildProcess, rpcUrl: string, logFile: string): Promise<void> {
  for (let waited = 0; waited < STARTING_MS; waited += POLL_MS) {
    if (child.exitCode !== null || child.signalCode !== null) break
    if (await isReady(rpcUrl)) return
    await sleep(POLL_MS)
  }
  throw new Error(
    `the validator did not start; the end of ${logFile}:\n${await lastLines(logFile)}`,
  )
}

/**
 * Starts the validator with a new ledger, mainnet's features and the deployed program, and waits until it answers.
 *
 * @throws Error if a port is in use, or with the end of the validator's log if it doesn't start.
 */
export async function startValidator(options: ValidatorOptions): Promise<RunningValidator> {
  const { folder, executable, firstPort } = options
  await assertFreePorts(firstPort)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const payerFile = join(folder, 'payer.json')
  const payer = await keypairFile(payerFile)
  const logFile = join(folder, 'validator.log')
  const log = await open(logFile, 'w', 0o600)
  const args = argumentsOf(options, payer.address)
  const child = spawn('sh', ['-c', WHILE_PIPE_IS_OPEN, 'sh', executable, ...args], {
    // It has its own process group, so that Ctrl-C in a terminal reaches it only through `stop`.
    detached: true,
    env: {
      ...{ RUST_LOG: 'warn', ...process.env },
      REMOVED_AFTERWARDS: options.isTemporary === true ? folder : '',
    },
    stdio: ['pipe', log.fd, log.fd],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await log.close()
  const stop = async () => {
    child.stdin?.end()
    await exited
  }
  const rpcUrl = `http://127.0.0.1:${portsFrom(firstPort).rpc}`
  try {
    await untilReady(child, rpcUrl, logFile)
  } catch (error) {
    await stop()
    throw error
  }
  const ended = exited.then(() => lastLines(logFile))
  return { ...{ rpcUrl, payerFile, stop, ended }, program: LOCAL_PROGRAM }
}
