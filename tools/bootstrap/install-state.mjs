import fs from 'fs'
import path from 'path'

/**
 * True if node_modules contains what package-lock.json requires, by the list that npm writes last. An
 * interrupted installation has no such list, and one that was copied from another platform lacks packages
 * of this one.
 */
export function isInstalled(root) {
  const installed = readJson(path.join(root, 'node_modules/.package-lock.json'))
  if (installed === null) return false
  const { packages } = readJson(path.join(root, 'package-lock.json'))
  return Object.keys(packages).every((key) => {
    const wanted = packages[key]
    if (!key.includes('node_modules/')) return true
    const found = installed.packages[key]
    if (found === undefined) return wanted.optional === true && !isForThisPlatform(wanted)
    return found.version === wanted.version && found.integrity === wanted.integrity
  })
}

/** Whether npm installs an optional package here; those for one C library are never missed. */
function isForThisPlatform({ os, cpu, libc }) {
  const names = os !== undefined && cpu !== undefined && libc === undefined
  return names && os.includes(process.platform) && cpu.includes(process.arch)
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return null
    throw error
  }
}
