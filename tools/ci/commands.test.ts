import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'

const COMMANDS = path.join(import.meta.dirname, 'commands.sh')

it('ends a running command with all its processes when the script ends', async () => {
  const reports = mkdtempSync(path.join(tmpdir(), 'sotto-commands-'))
  try {
    const script = `
      . "$1"; reports=$2; deadline=600; declare -A begun starts
      trap end_begun EXIT
      begin sleeper sh -c 'echo $$ >"$0/pids"; sleep 600 & echo $! >>"$0/pids"; wait' "$reports"
      until [ "$(wc -l 2>/dev/null <"$reports/pids")" = 2 ]; do sleep 0.05; done
      exit 0`
    execFileSync('bash', ['-c', script, 'script', COMMANDS, reports])
    const pids = readFileSync(path.join(reports, 'pids'), 'utf8').trim().split('\n')
    expect(pids).toHaveLength(2)
    // After the signal, a process may take a moment to end. A process without the signal would run until this test's
    // time limit.
    while (pids.some(isRunning)) await setTimeout(20)
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
})

/** True if a process runs. A zombie doesn't run: it has ended, and waits until its parent reads its exit status. */
function isRunning(pid: string): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
