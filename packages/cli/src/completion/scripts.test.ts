import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { buildCli } from '../build-cli.ts'
import { EXIT } from '../exit-codes.ts'
import { completionScript, SHELLS } from './scripts.ts'

const program = buildCli(
  () => {
    throw new Error('completion runs no command')
  },
  () => undefined,
)

/** The completions that bash would offer after these words. */
function offered(...words: string[]): string[] {
  const quoted = ['sotto', ...words].map((word) => `'${word}'`).join(' ')
  const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _sotto; printf '%s\\n' "\${COMPREPLY[@]}"`
  const script = `${completionScript(program, 'bash')}\n${ask}`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout.split('\n').filter((word) => word !== '')
}

it('bash completes commands, subcommands and options', () => {
  expect(offered('re')).toEqual(['recover'])
  expect(offered('recover', '')).toEqual(expect.arrayContaining(['show', 'deliver', 'refund']))
  expect(offered('recover', 'refund', '--le')).toEqual(['--leaves'])
  expect(offered('--json', 'send', '--res')).toEqual(['--resume'])
  expect(offered('status', 'tr_x', '--w')).toEqual(['--watch'])
})

it('the script for every shell contains every command', () => {
  for (const shell of SHELLS) {
    const script = completionScript(program, shell)
    for (const command of program.commands) expect(script).toContain(command.name())
  }
})

it('every command and every option has a description', () => {
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) {
    expect(command.description(), command.name()).not.toBe('')
    for (const { flags, description } of command.options) expect(description, flags).not.toBe('')
  }
})

it('the documentation lists exactly the existing exit codes', () => {
  const page = readFileSync(new URL('../../../../docs/cli.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| ([0-9]+) +\|/gm)].map(([, code]) => code)
  expect(rows).toEqual(Object.values(EXIT).map(String))
})
