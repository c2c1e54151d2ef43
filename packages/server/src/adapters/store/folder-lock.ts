import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Another living process has the data folder open. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/**
 * Which process it is: its id and, where the system tells, when it started. The id alone would be
 * mistaken for an owner's after a restart of the machine or of a container, where ids repeat.
 */
async function identify(pid: number): Promise<string | undefined> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    if (!hasCode(error, 'EPERM')) return undefined
  }
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold spaces; the start is the 20th field behind it.
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return `${pid}`
  }
}

/** True where the process that wrote the lock still runs. */
async function isHeld(content: string): Promise<boolean> {
  const pid = /^[1-9][0-9]{0,9}/.exec(content)?.[0]
  if (pid === undefined) return false
  return (await identify(parsePid(pid))) === content
}

const parsePid = (digits: string): number => JSON.parse(digits) as number

/** Moves a dead process's lock out of the way; puts it back where it turns out to be a new one. */
async function removeStale(path: string, judged: string): Promise<void> {
  const aside = `${path}.${process.pid}`
  try {
    await rename(path, aside)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  const moved = await readFile(aside, 'utf8')
  if (moved !== judged) await link(aside, path)
  await unlink(aside)
}

/**
 * Takes `<folder>/lock` for this process: two processes on one embedded database would corrupt it.
 * The lock of a process that was killed is taken over. Returns the function that gives it back.
 *
 * @throws FolderInUseError while its owner lives.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'lock')
  const own = (await identify(process.pid)) ?? `${process.pid}`
  const mine = `${path}.new.${process.pid}`
  // Written whole under another name first, so that nobody ever reads a half-written lock.
  await writeFile(mine, own, { mode: 0o600 })
  try {
    for (;;) {
      try {
        await link(mine, path)
        return () => unlink(path)
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
      }
      const holder = await readFile(path, 'utf8').catch((error: unknown) => {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      })
      if (holder === undefined) continue
      if (await isHeld(holder)) throw inUse(folder, holder)
      await removeStale(path, holder)
    }
  } finally {
    await unlink(mine)
  }
}

function inUse(folder: string, holder: string): FolderInUseError {
  return new FolderInUseError(
    `the data folder ${folder} is open in process ${holder.split(' ')[0]}; stop that process first, ` +
      'or set SOTTO_DATA to another folder, or SOTTO_DATABASE_URL to a PostgreSQL',
  )
}
