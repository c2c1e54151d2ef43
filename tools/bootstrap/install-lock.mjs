import fs from 'fs'
import path from 'path'

const pollMs = 250

/**
 * Runs `action` while no other process of this repository does, waiting for as long as it takes. `onWait` is
 * called once with the lock's path, if there is something to wait for. The lock is outside node_modules,
 * which npm empties. An operating system lock, as in the rest of the repository, would need the package that
 * is being installed, so this one names its process and is replaced if that process has ended.
 */
export async function withInstallLock(root, onWait, action) {
  const file = path.join(root, '.sotto', 'install.lock')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  let waited = false
  while (!tryTake(file)) {
    if (!waited) onWait(file)
    waited = true
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  try {
    return await action()
  } finally {
    fs.rmSync(file, { force: true })
  }
}

function tryTake(file) {
  if (tryMake(file)) return true
  // A dead owner's lock is removed only under this guard, so a new owner's lock can't be removed. If a killed
  // process left the guard, all others wait; the printed line says how to resolve that.
  const guard = `${file}.takeover`
  if (isAlive(readText(file)) || !tryMake(guard)) return false
  try {
    const owner = readText(file)
    if (owner !== '' && !isAlive(owner)) fs.rmSync(file)
  } finally {
    fs.rmSync(guard)
  }
  return false
}

/** Creates a file that names this process; a link appears complete or not at all. */
function tryMake(file) {
  const mine = `${file}.${process.pid}`
  fs.writeFileSync(mine, identityOf(process.pid))
  try {
    fs.linkSync(mine, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  } finally {
    fs.rmSync(mine)
  }
}

const isAlive = (owner) => owner !== '' && identityOf(Number(owner.split(' ')[0])) === owner

/** The process's id and, on Linux, when it started; only the id, with a mark, of one that has ended. */
function identityOf(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is running and belongs to another user.
    if (error.code !== 'EPERM') return `${pid} ended`
  }
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === '') return String(pid)
  // After the name in brackets, which may hold spaces: the state first, the start 19 fields later (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? `${pid} ended` : `${pid} ${fields[19]}`
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return ''
    throw error
  }
}
