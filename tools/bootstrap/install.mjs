import { spawn } from 'child_process'
import fs from 'fs'
import path from 'path'
import { isInstalled } from './install-state.mjs'
import { repositoryRoot } from './paths.mjs'

const pollMs = 250

/**
 * Installs the dependencies if they aren't installed yet. Resolves to an exit code. All output goes to standard error,
 * because programs parse the standard output of `--json` commands.
 */
export async function ensureInstalled() {
  if (isInstalled(repositoryRoot)) return 0
  // Takes a lock, because two commands that start at the same time could delete each other's node_modules.
  const lock = path.join(repositoryRoot, '.sotto', 'installing')
  await takeLock(lock)
  try {
    return isInstalled(repositoryRoot) ? 0 : await install()
  } finally {
    fs.rmdirSync(lock)
  }
}

async function takeLock(lock) {
  fs.mkdirSync(path.dirname(lock), { recursive: true })
  for (let waited = false; ; waited = true) {
    try {
      return fs.mkdirSync(lock)
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!waited) {
      console.error('Waiting for another installation in this folder to end.')
      console.error(`If none is running, delete the folder ${lock}.`)
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

async function install() {
  console.error('Installing the dependencies (npm ci); this is repeated only when they change.')
  const code = await runNpmCi()
  if (code !== 0) {
    console.error('The installation failed; the reason is above. Nothing was started.')
  }
  return code
}

function runNpmCi() {
  // Under `npm run`, this variable names the script of the user's npm. Node can run that script on Windows too, without
  // npm.cmd.
  const npm = process.env.npm_execpath
  const viaNode = npm !== undefined && /npm-cli\.[cm]?js$/.test(npm)
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  return new Promise((resolve, reject) => {
    const child = spawn(viaNode ? process.execPath : 'npm', viaNode ? [npm].concat(args) : args, {
      cwd: repositoryRoot,
      stdio: ['ignore', 2, 2],
      shell: !viaNode && process.platform === 'win32',
    })
    // A signal must not end this process before npm ends, because the lock would remain. So it passes the signal to
    // npm.
    process.on('SIGINT', () => child.kill('SIGINT'))
    process.on('SIGTERM', () => child.kill('SIGTERM'))
    child.on('error', (error) => {
      reject(new Error(`npm could not be started (${error.message}); it comes with Node.`))
    })
    child.on('exit', (code) => resolve(code === null ? 1 : code))
  })
}
