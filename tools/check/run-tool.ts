import { spawn } from 'node:child_process'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import type { Step } from './outcome.ts'

/**
 * A step that runs a program from node_modules. If the program's exit code isn't 0, the step fails and shows the
 * program's output.
 */
export function toolStep(name: string, script: string, args: string[], why: string): Step {
  return {
    name,
    run: async () => {
      const tool = path.join(repositoryRoot, 'node_modules', script)
      const { code, output } = await runCaptured(process.execPath, [tool, ...args])
      const problems = code === 0 ? [] : [output.trim() || `${script} ended with code ${code}`]
      return [{ name, problems, why }]
    },
  }
}

/** Runs a program in the repository's root. `output` is the combined text of standard output and standard error. */
export async function runCaptured(
  command: string,
  args: string[],
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    // If a signal ended the program, `code` is null. That counts as a failure, because the program didn't finish its
    // work.
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
