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
  /** The folder with ledger, log and the payer's keypair. */
  readonly folder: string
  /** The first port that the validator uses. `portsFrom` lists the other ports. */
  readonly firstPort: number
  /**
   * True if the folder is only for this run. Then the folder and its ledger are removed at the end, even if this
   * process is killed.
   */
  readonly isTemporary?: boolean
  /** True for a cluster without the program. The caller deploys the program later. */
  readonly isBare?: boolean
  /** Number of shreds that the ledger keeps. The validator prunes older blocks and transactions. */
  readonly shreds: number
  /** Additional arguments, for example for other programs in the genesis block. */
  readonly more?: readonly string[]
}

export interface RunningValidator {
  readonly rpcUrl: string
  /** The program's address. Unless `isBare` is true, the program is deployed, with the payer as upgrade authority. */
  readonly program: string
  /** Keypair file of a wallet with 500 million SOL. */
  readonly payerFile: string
  readonly stop: () => Promise<void>
  /** Resolves when the validator has ended, for any reason. The value is its last log lines. */
  readonly ended: Promise<string>
}

/**
 * The default number of shreds. It is enough for an hour of history. With 500,000, a validator pruned its first
 * transactions after 36 minutes. Without a limit, a validator writes 5 GB an hour.
 */
export const SHREDS = 2_000_000
/**
 * The minimum number of shreds. The validator prunes only every 512 slots. So it can't keep fewer shreds than 512 slots
 * contain.
 */
export const SHREDS_MIN = 10_000

/**
 * A script that runs a program until the pipe on the script's standard input ends. The pipe ends when this process
 * ends, for any reason. So the validator of a killed run doesn't continue to write its ledger.
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

/** The validator's command line. Every start creates a new ledger. */
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
  // In a temporary folder, the file may be removed already.
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-LAST_LINES).join('\n')
}

const POLL_MS = 250
const STARTING_MS = 120_000
/** The first slot in which transactions can call a program of the genesis block. */
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
 * Starts the validator with a new ledger and mainnet's features. Unless `isBare` is true, the program is deployed.
 * Waits until the validator answers.
 *
 * @throws Error if a port is in use. If the validator doesn't start, the error contains the end of its log.
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
    // The validator has its own process group, so Ctrl-C in a terminal doesn't reach it. It ends through `stop`, or
    // when this process ends.
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
