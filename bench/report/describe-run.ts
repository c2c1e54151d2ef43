import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { BenchRun } from './bench-report.ts'
import { describeMachine } from './machine.ts'

const REPORT = 'bench/report.json docs/performance.md'.split(' ')

async function git(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', words, { cwd: import.meta.dirname })
  return stdout.trim()
}

/** Describes a run at its start. Changes to the report's own files don't count as uncommitted changes. */
export async function describeRun(command: string): Promise<BenchRun> {
  const exclude = REPORT.map((file) => `:(top,exclude)${file}`)
  return {
    command,
    commit: await git('rev-parse', 'HEAD'),
    isDirty: (await git('status', '--porcelain', '--', ':(top)', ...exclude)) !== '',
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    machine: describeMachine(),
  }
}
