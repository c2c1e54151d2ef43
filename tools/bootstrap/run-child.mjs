import { spawn } from 'child_process'
import os from 'os'
import { repositoryRoot } from './paths.mjs'

/**
 * Runs Node with `nodeArgs` in the repository's root. Resolves to the child's exit code. If a signal ended the child,
 * resolves to 128 + the signal's number, as shells do.
 *
 * This process passes signals to the child and doesn't end on them. It waits until the child has ended, because a
 * service may need seconds to stop cleanly.
 */
export function runChild(nodeArgs) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, nodeArgs, { cwd: repositoryRoot, stdio: 'inherit' })
    const forward = (signal) => child.kill(signal)
    const interrupt = () => {
      // In a terminal, Ctrl-C sends SIGINT to the whole process group, so the child already has it. The child would
      // take a second SIGINT as a request to stop immediately, even if data is lost.
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
