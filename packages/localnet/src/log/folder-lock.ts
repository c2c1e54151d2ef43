import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataFolderLocked } from './log-errors.ts'

const LOCK_FILE = 'lock'
const TAKEOVER_FILE = 'lock.takeover'

/** A takeover lasts milliseconds; one that is older was left behind by a killed process. */
const TAKEOVER_STALE_MS = 10_000

/** Positions in /proc/<pid>/stat behind the command name (proc(5)). */
const STATE_FIELD = 0
const START_TIME_FIELD = 19

/**
 * Takes a data folder for this process, and returns what releases it. The lock names its process
 * by id and start time: a killed process leaves a lock that the next one recognises as dead at
 * once, also when the id has been given to another process since. Throws DataFolderLocked.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, LOCK_FILE)
  const own = identityOf(process.pid)
  if (!tryCreate(path, own)) takeOver(folder, path, own)
  return () => {
    if (readIfExists(path) === own) rmSync(path, { force: true })
  }
}

function takeOver(folder: string, path: string, own: string): void {
  const guard = join(folder, TAKEOVER_FILE)
  if (!tryCreate(guard, own) && !isStale(guard)) {
    throw new DataFolderLocked(`${folder} is being opened by another process. Try again.`)
  }
  try {
    const holder = readIfExists(path) ?? ''
    const pid = Number.parseInt(holder, 10)
    if (pid > 0 && identityOf(pid) === holder) {
      throw new DataFolderLocked(
        `${folder} is in use by process ${pid}. Stop it first, or choose another data folder.`,
      )
    }
    // Under the guard nobody else replaces the dead lock, so a rename can't hit a living one.
    const replacement = `${path}.${process.pid}`
    rmSync(replacement, { force: true })
    tryCreate(replacement, own)
    renameSync(replacement, path)
  } finally {
    rmSync(guard, { force: true })
  }
}

function isStale(guard: string): boolean {
  try {
    return Date.now() - statSync(guard).mtimeMs > TAKEOVER_STALE_MS
  } catch {
    return true
  }
}

/** Creates a file with its content in one step, so that nobody sees it empty. */
function tryCreate(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}.new`
  writeFileSync(draft, content, { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** `<pid> <start time>` of a living process, else nothing; the time is known on Linux only. */
function identityOf(pid: number): string {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM means that it lives but belongs to somebody else.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return ''
  }
  const stat = readIfExists(`/proc/${pid}/stat`)
  if (stat === null) return `${pid}\n`
  // The command name may hold spaces; fields are counted from behind its closing bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[STATE_FIELD] === 'Z' ? '' : `${pid} ${fields[START_TIME_FIELD]}\n`
}
