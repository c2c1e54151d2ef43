import type { Command } from 'commander'
import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { buildCli } from './build-cli.ts'

const program = buildCli(
  () => {
    throw new Error('help opens no file and no connection')
  },
  () => undefined,
)

const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]

/** The output of `--help`, including the texts before and after the options. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (more) => (text += more), getOutHelpWidth: () => 80 })
  command.outputHelp()
  return text
}

it.each(all(program).map((command) => [command.name(), command] as const))(
  'the help of %s shows an example and fits 80 columns',
  (_name, command) => {
    const help = helpOf(command)
    expect(help).toContain('Examples:\n')
    const examples = help.split('Examples:\n')[1] ?? ''
    expect(examples).toMatch(/\bsotto\b/)
    const isProse = (line: string) => !line.includes('sotto completion')
    const lines = help.split('\n').filter(isProse)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  },
)

it('--version prints the version of the package', () => {
  let text = ''
  program.configureOutput({ writeOut: (more) => (text += more) })
  expect(() => program.parse(['node', 'sotto', '--version'])).toThrow()
  expect(text.trim()).toBe(manifest.version)
})
