import fs from 'fs'
import path from 'path'

// Shorter than anyone would notice, longer than would keep a core busy.
const pollMs = 250

/**
 * Runs `action` while no other process of this repository does, waiting for as long as it takes.
 * `onWait` is called once, if there is something to wait for. The lock lies outside node_modules,
 * which npm empties, and holds the owner's process id: an owner that died is replaced.
 */
export async function withInstallLock(root, onWait, action) {
  const file = path.join(root, '.sotto', 'install.lock')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  let waited = false
  while (!tryTake(file)) {
    if (!waited) onWait()
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
  const mine = `${file}.${process.pid}`
  fs.writeFileSync(mine, String(process.pid))
  try {
    // A link appears whole or not at all, so nobody reads a lock that has no owner yet.
    fs.linkSync(mine, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    removeIfOwnerDied(file)
    return false
  } finally {
    fs.rmSync(mine, { force: true })
  }
}

function removeIfOwnerDied(file) {
  const owner = readOwner(file)
  if (owner === null || isAlive(owner)) return
  // Renamed before it is removed: of two waiters who see the same dead owner only one succeeds in
  // taking this file away, and it looks again at what it took in case a new owner was faster.
  const taken = `${file}.dead-${process.pid}`
  try {
    fs.renameSync(file, taken)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  if (readOwner(taken) !== owner && !fs.existsSync(file)) fs.renameSync(taken, file)
  else fs.rmSync(taken, { force: true })
}

function readOwner(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process is alive too, and only answers that we may not signal it.
    return error.code === 'EPERM'
  }
}
