import fs from 'fs'
import path from 'path'

/**
 * True if node_modules contains all packages that package-lock.json requires. npm writes the list of installed packages
 * last, so the list is missing after an interrupted installation. If node_modules was copied from another platform, the
 * list lacks this platform's packages.
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

/** True if npm must install an optional package on this platform. Packages for a particular C library are ignored. */
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
