import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtProgram } from '../../../demo/src/stack/built-program.ts'
import { MAIN } from './run-sotto.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-output-'))
})
afterAll(() => rm(home, { recursive: true }))

/** Runs a command that writes to this file descriptor, or to a pipe that its reader has closed. */
async function run(stdout: number | 'closed', ...args: string[]) {
  const { PATH = '' } = process.env
  // No service and no node listens on this port.
  const env = { PATH, HOME: home, SOTTO_HOME: home, SOTTO_URL: 'http://127.0.0.1:9' }
  const child = spawn(process.execPath, [await builtProgram(MAIN), '--json', ...args], {
    env: { ...env, SOTTO_RPC_URL: 'http://127.0.0.1:9' },
    stdio: ['ignore', stdout === 'closed' ? 'pipe' : stdout, 'pipe'],
  })
  child.stdout?.destroy()
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  return { code: code as unknown, stderr }
}

it('keeps its exit code if the reader of its output has gone', async () => {
  expect(await run('closed', 'doctor')).toMatchObject({ code: 10 })
  expect(await run('closed', 'transfers')).toEqual({ code: 0, stderr: '' })
})

it.runIf(process.platform === 'linux')(
  'fails with the cause if its output cannot be written',
  async () => {
    const full = await open('/dev/full', 'w')
    const ended = await run(full.fd, 'transfers')
    await full.close()
    expect(ended.code).toBe(1)
    expect(JSON.parse(ended.stderr)).toMatchObject({
      error: { code: 'OUTPUT_FAILED', message: expect.stringContaining('ENOSPC') as string },
    })
  },
)
