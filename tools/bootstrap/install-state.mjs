import crypto from 'crypto'
import fs from 'fs'
import path from 'path'

const stampName = '.sotto-installed'

/** True if node_modules contains what package-lock.json requires. */
export function isInstalled(root) {
  const stamp = readText(path.join(root, 'node_modules', stampName))
  if (stamp === expectedStamp(root)) return true
  // Installed by hand, with `npm install` or `npm ci`: reinstalling would only cost time, and would remove
  // packages that running programs use.
  if (stamp !== null && !stamp.startsWith(platform())) return false
  return isLockSatisfied(root)
}

/** Written last, so that an installation that was interrupted never counts as done. */
export function writeStamp(root) {
  const file = path.join(root, 'node_modules', stampName)
  const fresh = `${file}.${process.pid}`
  fs.writeFileSync(fresh, expectedStamp(root))
  fs.renameSync(fresh, file)
}

/** Removed before an installation starts; see `writeStamp`. */
export function removeStamp(root) {
  fs.rmSync(path.join(root, 'node_modules', stampName), { force: true })
}

// Native packages differ per platform: a folder copied into a container must not pass.
function platform() {
  return `${process.platform}-${process.arch} `
}

function expectedStamp(root) {
  const lock = fs.readFileSync(path.join(root, 'package-lock.json'))
  return `${platform()}${crypto.createHash('sha256').update(lock).digest('hex')}\n`
}

/**
 * npm empties node_modules first and writes its hidden lockfile last, so a hidden lockfile that
 * agrees, with each package in place, is an installation that was finished.
 */
function isLockSatisfied(root) {
  const hidden = readJson(path.join(root, 'node_modules/.package-lock.json'))
  const lock = readJson(path.join(root, 'package-lock.json'))
  if (hidden === null || lock === null) return false
  return Object.keys(lock.packages).every((key) => {
    const wanted = lock.packages[key]
    if (!key.includes('node_modules/')) return true
    const found = hidden.packages[key]
    if (found === undefined) return wanted.optional === true
    if (wanted.link === true) return fs.existsSync(path.join(root, key))
    const manifest = readJson(path.join(root, key, 'package.json'))
    if (manifest === null || manifest.version !== wanted.version) return false
    return found.integrity === wanted.integrity
  })
}

function readJson(file) {
  const text = readText(file)
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch (error) {
    // A half-written file is the same as none: install again.
    return null
  }
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw error
  }
}
