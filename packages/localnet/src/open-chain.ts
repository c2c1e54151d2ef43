import { FileLockedError, lockFile } from '@sotto/file-lock'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Chain } from './chain/chain.ts'
import { ChainClock } from './chain/chain-clock.ts'
import { Faucet } from './chain/faucet.ts'
import { writeFeatures } from './chain/feature-accounts.ts'
import { type Journal, forgetfulJournal } from './chain/journal.ts'
import { Ledger } from './chain/ledger.ts'
import { type Program, loadProgram, reloadPrograms } from './chain/load-program.ts'
import { heightOfSlot, slotOfHeight } from './chain/block-schedule.ts'
import { Runtime } from './chain/runtime.ts'
import { programsLast } from './chain/state-overlay.ts'
import { SubmitQueue } from './chain/submit-queue.ts'
import { type CommitmentLag, Tip } from './chain/tip.ts'
import { DataFolderConflict, DataFolderLocked } from './log/log-errors.ts'
import { LogFile } from './log/log-file.ts'
import { LogJournal } from './log/log-journal.ts'
import { encodeProgram } from './log/program-codec.ts'
import { GENESIS, PROGRAM } from './log/record-kinds.ts'
import { type Replay, replayLog } from './log/replay.ts'

/**
 * The first slot of a new chain. At the start, no block of the chain is confirmed or finalized yet. Reads at these
 * commitments then use a slot before the first slot.
 */
const FIRST_SLOT = 1_024
const SEED_BYTES = 32
const LOG_FILE = 'chain.log'
const LOCK_FILE = 'lock'

export interface OpenOptions {
  /** The folder with the chain's state. With null, the state is only in memory. */
  readonly dataFolder: string | null
  readonly programs: readonly Program[]
  readonly lag: CommitmentLag
  /**
   * Lamports that an account must hold for each byte; Solana's value by default. Every later run of a stored chain
   * needs the same value.
   */
  readonly lamportsPerByte?: bigint | undefined
  /** Called if the log can't be written. The callback must end the process. */
  readonly onJournalFailure: (error: unknown) => void
}

export interface OpenedChain {
  readonly chain: Chain
  readonly queue: SubmitQueue
  readonly faucet: Faucet
  close(): void
}

/**
 * Opens a chain: a new chain, or the chain in the data folder. Throws DamagedLog, DataFolderConflict, DataFolderLocked
 * or UnloadableProgram.
 */
export async function openChain(options: OpenOptions): Promise<OpenedChain> {
  if (options.dataFolder === null) {
    const runtime = new Runtime(options.lamportsPerByte)
    for (const program of options.programs) loadProgram(runtime, program)
    return assemble(options, { runtime, replay: emptyReplay(), journal: forgetfulJournal })
  }
  mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 })
  const release = lockFolder(options.dataFolder)
  try {
    const path = join(options.dataFolder, LOG_FILE)
    const opened = await assemble(options, openLog(path, options))
    return {
      ...opened,
      close() {
        opened.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

function lockFolder(folder: string): () => void {
  try {
    return lockFile(join(folder, LOCK_FILE))
  } catch (error) {
    if (!(error instanceof FileLockedError)) throw error
    const holder = error.holder === undefined ? 'another process' : `process ${error.holder}`
    throw new DataFolderLocked(
      `${folder} is in use by ${holder}. Stop that process first, or choose another data folder.`,
    )
  }
}

interface Parts {
  readonly runtime: Runtime
  readonly replay: Omit<Replay, 'end' | 'programs'>
  readonly journal: Journal
}

function openLog(path: string, options: OpenOptions): Parts {
  const runtime = new Runtime(options.lamportsPerByte)
  const replay = replayLog(path, runtime)
  const added = options.programs.filter((program) => !isKnownProgram(replay, program))
  const file = new LogFile(path, replay.end)
  chmodSync(path, 0o600)
  const seed = replay.seed ?? randomBytes(SEED_BYTES)
  if (replay.seed === null) file.append(GENESIS, seed)
  for (const program of added) {
    loadProgram(runtime, program)
    file.append(PROGRAM, encodeProgram(program))
  }
  const journal = new LogJournal(file, options.onJournalFailure)
  return { runtime, replay: { ...replay, seed }, journal }
}

async function assemble(options: OpenOptions, parts: Parts): Promise<OpenedChain> {
  const { runtime, replay, journal } = parts
  const seed = replay.seed ?? randomBytes(SEED_BYTES)
  const faucet = await Faucet.of(seed)
  faucet.fund(runtime)
  writeFeatures(runtime)
  restoreAccounts(runtime, replay.accounts)
  const ledger = new Ledger()
  ledger.append(replay.records)
  const { offsetSeconds, unixTime } = replay
  const clock = new ChainClock({ offsetSeconds, lastSeconds: unixTime })
  // Reads at older commitments need earlier versions of accounts, and a restart loses these versions. So the new tip is
  // so far above the replayed slots that all of them are finalized.
  const resume = slotOfHeight(heightOfSlot(replay.lastSlot) + options.lag.finalized + 2)
  const tip = new Tip({ slot: Math.max(FIRST_SLOT, resume), clock, lag: options.lag })
  for (const { slot, unixTime: at } of replay.blockTimes) tip.times.record(slot, at)
  const chain = new Chain({ seed, runtime, ledger, tip, journal })
  for (const record of replay.records) chain.rememberStatus(record)
  const queue = new SubmitQueue(chain)
  faucet.connect(chain, queue)
  return { chain, queue, faucet, close: () => chain.close() }
}

function restoreAccounts(runtime: Runtime, accounts: Replay['accounts']): void {
  for (const [address, account] of programsLast([...accounts])) {
    runtime.writeAccount(address, account)
  }
  reloadPrograms(runtime, accounts)
}

function emptyReplay(): Parts['replay'] {
  const nothing = { seed: null, records: [], accounts: new Map(), blockTimes: [] }
  return { ...nothing, lastSlot: 0, unixTime: 0, offsetSeconds: 0 }
}

function isKnownProgram(replay: Replay, program: Program): boolean {
  const known = replay.programs.get(program.address)
  if (known === undefined) return false
  const isSame =
    Buffer.compare(known.bytes, program.bytes) === 0 &&
    known.upgradeAuthority === program.upgradeAuthority
  if (isSame) return true
  throw new DataFolderConflict(
    `The data folder was made with a different program at ${program.address} (its bytes or its upgrade ` +
      'authority differ): use a new data folder, or the program that this folder was made with.',
  )
}
