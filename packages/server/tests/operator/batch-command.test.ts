import { Command } from 'commander'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { registerBatchCommand } from '../../src/operator/batch-command.ts'

let folder = ''
let printed: string[] = []
let reported = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-batch-'))
  printed = []
  reported = ''
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  vi.spyOn(console, 'error').mockImplementation((line: string) => void (reported += line))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
})

const account = (id: string, name: string) => ['account', 'add', '--id', id, '--name', name]

/** Runs a file with these lines in an embedded database of its own. */
async function batch(...lines: readonly (readonly string[])[]): Promise<void> {
  const config = join(folder, 'sotto.json')
  const settings = {
    cluster: 'localnet',
    rpc_url: 'http://127.0.0.1:9',
    data: join(folder, 'data'),
  }
  const program_id = 'Sotto11111111111111111111111111111111111111'
  await writeFile(config, JSON.stringify({ ...settings, program_id }))
  const file = join(folder, 'batch')
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n\n`).join(''))
  const program = new Command('sotto-server').option('--json').option('--config <file>')
  program.exitOverride().configureOutput({ writeErr: (text) => void (reported += text) })
  registerBatchCommand(program)
  await program.parseAsync(['--json', '--config', config, 'batch', file], { from: 'user' })
}

it.each([
  ['an unknown option', ['account', 'add', '--id', 'shop', '--nam', 'Shop'], '--nam'],
  ['a missing option', ['account', 'add', '--id', 'shop'], '--name'],
  ['a wrong value', [...account('shop', 'Shop'), '--fee-bps-max', 'x'], '--fee-bps-max'],
  ['an unknown command', ['account', 'ad'], 'ad'],
  ['a part of a command', ['account'], 'no complete command'],
  ['a request for help', ['account', 'add', '--help'], 'no complete command'],
])('runs no command of a batch if a later line has %s', async (_, line, named) => {
  await expect(batch(account('first', 'First'), line)).rejects.toMatchObject({ exitCode: 2 })
  expect(reported).toMatch(/, line 3: .*no command was run\n$/s)
  expect(reported).toContain(named)
  expect(existsSync(join(folder, 'data'))).toBe(false)
})

it('names the line of a batch that failed and the lines that ran', async () => {
  const same = account('shop', 'Shop')
  await expect(batch(same, same, account('shop', 'Store'), same)).rejects.toMatchObject({
    name: 'OperatorError',
  })
  expect(printed).toHaveLength(2)
  expect(reported).toContain('line 5: this command failed')
  expect(reported).toContain('these lines were run: 1, 3;')
})
