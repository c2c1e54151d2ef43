import { spawn } from 'child_process'
import { withInstallLock } from './install-lock.mjs'
import { isInstalled, removeStamp, writeStamp } from './install-state.mjs'
import { repositoryRoot } from './paths.mjs'

/**
 * Installs the dependencies unless they are in place, and resolves to an exit code. All output
 * goes to the error stream: the output of `--json` commands must stay readable by machines.
 */
export async function ensureInstalled() {
  if (isInstalled(repositoryRoot)) return 0
  const onWait = (lock) => {
    console.error('Waiting for another installation in this folder to end.')
    console.error(`If none is running, delete ${lock} and ${lock}.takeover.`)
  }
  return withInstallLock(repositoryRoot, onWait, async () => {
    // The former holder of the lock may have done the work.
    if (isInstalled(repositoryRoot)) {
      writeStamp(repositoryRoot)
      return 0
    }
    return install()
  })
}

async function install() {
  console.error('Installing the dependencies (npm ci); this happens once per change of them.')
  removeStamp(repositoryRoot)
  const code = await runNpmCi()
  if (code !== 0) {
    console.error('The installation failed; the reason is above. Nothing was started.')
    return code
  }
  writeStamp(repositoryRoot)
  return 0
}

function runNpmCi() {
  // Under `npm run` this is the npm that the user chose; on Windows it also avoids npm.cmd.
  const npm = process.env.npm_execpath
  const viaNode = npm !== undefined && /npm-cli\.[cm]?js$/.test(npm)
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  return new Promise((resolve, reject) => {
    const child = spawn(viaNode ? process.execPath : 'npm', viaNode ? [npm].concat(args) : args, {
      cwd: repositoryRoot,
      stdio: ['ignore', 2, 2],
      shell: !viaNode && process.platform === 'win32',
    })
    // npm stops by itself on Ctrl-C; we wait for it, release the lock and return its exit code.
    process.on('SIGINT', () => child.kill('SIGINT'))
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    child.on('error', (error) => {
      reject(new Error(`npm could not be started (${error.message}); it comes with Node.`))
    })
    child.on('exit', (code) => resolve(code === null ? 1 : code))
  })
}
