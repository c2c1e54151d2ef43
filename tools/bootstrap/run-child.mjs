import { spawn } from 'child_process'
import os from 'os'
import { repositoryRoot } from './paths.mjs'

/**
 * Runs Node with `nodeArgs` in the repository's root and resolves to the exit code: the child's own or, if a signal
 * ended it, 128 + the signal's number, like in shells.
 *
 * This process passes signals on but ignores them itself. So it outlives the child, and waits for a service that takes
 * seconds to stop cleanly.
 */
export function runChild(nodeArgs) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, nodeArgs, { cwd: repositoryRoot, stdio: 'inherit' })
    const forward = (signal) => child.kill(signal)
    const interrupt = () => {
      // A terminal sends Ctrl-C to the whole group, so the child already has it. A second one would mean "stop
      // immediately, even if data is lost".
      if (!process.stdin.isTTY) child.kill('SIGINT')
    }
    process.on('SIGINT', interrupt)
    process.on('SIGTERM', forward)
    process.on('SIGHUP', forward)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      resolve(code === null ? 128 + os.constants.signals[signal] : code)
    })
  })
}
