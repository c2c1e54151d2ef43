import path from 'node:path'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import type { Outcome, Step } from './outcome.ts'
import { runCaptured } from './run-tool.ts'

const manifest = path.join(repositoryRoot, 'program/Cargo.toml')
const proverManifest = path.join(repositoryRoot, 'wasm/Cargo.toml')

/**
 * Checks the on-chain program with Rust's formatter and linter, and the prover's code with the formatter. Only
 * contributors who change Rust code need these tools. So a machine without them reports the step as skipped. Continuous
 * integration installs both tools, so a missing tool is a failure in continuous integration.
 */
export const rustStep: Step = {
  name: 'rust',
  run: async () => [
    await cargoOutcome('rust format', ['fmt', '--check', '--manifest-path', manifest], [], {
      why: 'All Rust code of the program has one format. Run "cargo fmt" in program/.',
    }),
    await cargoOutcome(
      'rust format of the prover',
      ['fmt', '--all', '--check', '--manifest-path', proverManifest],
      [],
      { why: 'All Rust code of the prover has one format. Run "cargo fmt --all" in wasm/.' },
    ),
    await cargoOutcome(
      'rust lint',
      ['clippy', '--locked', '--all-targets', '--quiet', '--manifest-path', manifest],
      // program/clippy.toml defines the maximum length of a function.
      ['--', '--deny', 'warnings', '--deny', 'clippy::too_many_lines'],
      { why: 'Each clippy warning must be fixed, or allowed with a reason next to it.' },
    ),
  ],
}

async function cargoOutcome(
  name: string,
  args: [string, ...string[]],
  more: string[],
  { why }: { why: string },
): Promise<Outcome> {
  if (!(await isThere(args[0]))) {
    const missing = `cargo ${args[0]} is not installed`
    const isRequired = (process.env['CI'] ?? '') !== ''
    return isRequired
      ? { name, problems: [missing], why }
      : { name, problems: [], skipped: missing }
  }
  const { code, output } = await runCaptured('cargo', [...args, ...more])
  const problems = code === 0 ? [] : [output.trim() || `cargo ${args[0]} ended with code ${code}`]
  return { name, problems, why }
}

async function isThere(command: string): Promise<boolean> {
  try {
    return (await runCaptured('cargo', [command, '--version'])).code === 0
  } catch {
    // The machine has no cargo.
    return false
  }
}
