import { FileLockedError, lockFile } from '@sotto/file-lock'
import { makePrivateFolder, writePrivateFile } from '@sotto/sdk/node'
import type { TransferRequest, TransferState } from '@sotto/sdk/wallet'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { readIfThere } from '../settings/owned-file.ts'

/** The state file of a transfer on this machine. Only one process at a time runs the transfer. */
export interface StateFile {
  /** The name for `--resume`: the transfer's number, or the file's path if the file isn't in the folder `transfers`. */
  readonly name: string
  readonly save: (state: TransferState) => Promise<void>
  /** Deletes the file. Call this once the transfer's end has been shown. */
  readonly remove: () => Promise<void>
  /** Releases the transfer, so that another process can run it. */
  readonly release: () => void
}

/**
 * The steps at which nothing is signed yet, so nothing can be paid. A new transfer that fails at one of them is
 * deleted. Then the user can repeat the command, and a later `--resume` can't pay the same transfer a second time.
 * After Ctrl-C, the transfer is kept, because the user may want to resume it. A resumed transfer is deleted only if it
 * has no accepted quote, or if its order is refused.
 */
export const UNSIGNED: ReadonlySet<TransferState['step']> = new Set(['asked', 'quoted', 'ordered'])

const NAME = /^([1-9][0-9]{0,8})\.json$/
const folderOf = (home: string): string => join(home, 'transfers')

/** The names of this machine's unfinished transfers, oldest first. */
export async function listStates(home: string): Promise<string[]> {
  const names = await readdir(folderOf(home)).catch(() => [])
  return names
    .filter((name) => NAME.test(name))
    .map((name) => name.slice(0, -'.json'.length))
    .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
}

/** The state of an unfinished transfer; undefined if it has ended meanwhile. @throws CliError if it can't be read. */
export async function readState(home: string, name: string): Promise<TransferState | undefined> {
  const path = pathOf(home, name)
  const text = await readIfThere(path)
  return text === undefined ? undefined : stateIn(text, path)
}

/**
 * The name of an unfinished transfer with the same amount, assets, sender, recipient and reference. Undefined if there
 * is none except `own`. Such a transfer may already be paid, so a command that begins another one may be a repetition
 * by mistake. @throws CliError if a state can't be read.
 */
export async function findSame(
  home: string,
  request: TransferRequest,
  own?: string,
): Promise<string | undefined> {
  for (const name of await listStates(home)) {
    if (name === own) continue
    const state = await readState(home, name)
    const isSame = SAME.every((member) => state?.request[member] === request[member])
    if (state !== undefined && isSame) return name
  }
  return undefined
}

const SAME = [
  ...(['amount', 'mode', 'sourceAssetId', 'destinationAssetId', 'senderAddress'] as const),
  ...(['recipientAddress', 'reference'] as const),
] as const

/** Creates the file for a new transfer. The file's name is the next free number. */
export async function createState(home: string, state: TransferState): Promise<StateFile> {
  await makePrivateFolder(folderOf(home))
  const known = await listStates(home)
  for (let number = BigInt(known.at(-1) ?? 0) + 1n; ; number += 1n) {
    const path = join(folderOf(home), `${number}.json`)
    const release = tryLock(path)
    if (release === undefined || (await readIfThere(path)) !== undefined) {
      release?.()
      continue
    }
    const file = stateFile(home, path, release)
    await file.save(state)
    return file
  }
}

/**
 * Opens an unfinished transfer by its number or its path. If neither is given, opens the only unfinished transfer.
 * @throws CliError.
 */
export async function resumeState(
  home: string,
  name: string | undefined,
): Promise<{ readonly file: StateFile; readonly state: TransferState }> {
  const path = name === undefined ? await onlyState(home) : pathOf(home, name)
  const release = tryLock(path)
  if (release === undefined) {
    throw refuse(
      'TRANSFER_BUSY',
      'another process runs this transfer',
      'wait until that process ends',
    )
  }
  const text = await readIfThere(path)
  if (text === undefined) {
    release()
    const next = 'list unfinished transfers with: sotto transfers'
    throw refuse('TRANSFER_UNKNOWN', `there is no transfer at ${path}`, next)
  }
  return { file: stateFile(home, path, release), state: stateIn(text, path) }
}

function pathOf(home: string, name: string): string {
  if (/^[0-9]+$/.test(name)) return join(folderOf(home), `${name}.json`)
  return isAbsolute(name) ? name : join(process.cwd(), name)
}

async function onlyState(home: string): Promise<string> {
  const names = await listStates(home)
  const [name] = names
  if (name === undefined) {
    throw refuse(
      'TRANSFER_UNKNOWN',
      'there is no unfinished transfer',
      'start one: sotto send --help',
    )
  }
  if (names.length > 1) {
    const next = `name one of: ${names.join(', ')}`
    throw refuse('TRANSFER_AMBIGUOUS', `${names.length} transfers are unfinished`, next)
  }
  return pathOf(home, name)
}

function stateFile(home: string, path: string, release: () => void): StateFile {
  const number = dirname(path) === folderOf(home) ? NAME.exec(basename(path))?.[1] : undefined
  return {
    name: number ?? path,
    save: (state) => writePrivateFile(path, `${JSON.stringify(state)}\n`),
    remove: () => rm(path, { force: true }),
    release,
  }
}

function stateIn(text: string, path: string): TransferState {
  try {
    return JSON.parse(text) as TransferState
  } catch (cause) {
    const message = `${path} does not contain the state of a transfer`
    const next = 'restore the file; if you know that its transfer has ended, delete the file'
    throw new CliError(EXIT.config, 'TRANSFER_UNREADABLE', message, next, { cause })
  }
}

/** Locks a transfer for this process; undefined if another process has locked it. */
function tryLock(path: string): (() => void) | undefined {
  try {
    return lockFile(`${path}.lock`)
  } catch (error) {
    if (error instanceof FileLockedError) return undefined
    throw error
  }
}

const refuse = (code: string, message: string, next: string): CliError =>
  new CliError(EXIT.usage, code, message, next)
