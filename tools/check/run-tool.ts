import { spawn } from 'node:child_process'
import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import type { Step } from './outcome.ts'

/** A step that runs a program from node_modules. It fails if the exit code isn't 0, and shows the output. */
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

/** Runs a program in the repository's root. `output` is the combined output of both streams. */
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
    // If a signal ended the program, `code` is null: the program did not finish its work.
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
