import { FileLockedError, lockFile } from '@sotto/file-lock'
import { fileBalance, makePrivateFolder, type FileBalance } from '@sotto/sdk/node'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const STORE = '.json'

const folderOf = (home: string): string => join(home, 'balances')
const fileOf = (home: string, name: string, suffix: string): string => {
  assertName(name)
  return join(folderOf(home), name + suffix)
}

/** Path of the file in which the SDK keeps a balance, including its secret. */
export const balanceFile = (home: string, name: string): string => fileOf(home, name, STORE)
/** Path of the file with a ticket of the balance, for backups and for `sotto recover`. */
export const balanceTicketFile = (home: string, name: string): string =>
  fileOf(home, name, '.ticket')
/**
 * Path of the file with the ticket of a top-up that has not landed yet. If a node lies, the SDK may treat a top-up as
 * unpaid although it lands later. Then only this ticket gives access to the money.
 */
export const openingTicketFile = (home: string, name: string, trackingId: string): string =>
  fileOf(home, name, `.${trackingId}.ticket`)
/** Path of the file with the balance's `BalanceFacts`. */
export const balanceFactsFile = (home: string, name: string): string => fileOf(home, name, '.facts')

/** The SDK's store of a balance, in a file that only its owner can read. @throws CliError for an invalid name. */
export const balanceStore = (home: string, name: string): FileBalance =>
  fileBalance(balanceFile(home, name))

function assertName(name: string): void {
  if (NAME.test(name)) return
  const next = 'use letters, digits, - and _, at most 64'
  throw new CliError(EXIT.usage, 'NAME_INVALID', `"${name}" can't name a balance`, next)
}

/** The names of all balances on this machine, sorted. */
export async function listBalances(home: string): Promise<string[]> {
  const names = await readdir(folderOf(home)).catch(() => [])
  return names
    .filter((name) => name.endsWith(STORE))
    .map((name) => name.slice(0, -STORE.length))
    .filter((name) => NAME.test(name))
    .sort()
}

/**
 * Runs `work` while only this process uses the balances.
 * @throws CliError if another process uses one of them.
 */
export async function usingBalances<Result>(
  home: string,
  names: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const held: (() => void)[] = []
  await makePrivateFolder(folderOf(home))
  try {
    for (const name of names) held.push(lockBalance(home, name))
    return await work()
  } finally {
    // A process that has written a store keeps the store's lock until it releases the store.
    for (const name of names) balanceStore(home, name).release()
    for (const release of held) release()
  }
}

function lockBalance(home: string, name: string): () => void {
  try {
    return lockFile(fileOf(home, name, '.lock'))
  } catch (error) {
    if (!(error instanceof FileLockedError)) throw error
    const message = `another process uses the balance "${name}"`
    throw new CliError(EXIT.unavailable, 'BALANCE_BUSY', message, 'wait until that process ends')
  }
}

/** The error for a balance that is not on this machine. */
export const unknownBalance = (name: string): CliError =>
  new CliError(
    EXIT.usage,
    'BALANCE_UNKNOWN',
    `there is no balance "${name}" on this machine`,
    'see: sotto balance list; open one with: sotto balance open',
  )
