import type { Command } from 'commander'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { buildProgram } from '../../packages/server/src/operator/build-program.ts'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'

const FOLDER = path.join(repositoryRoot, 'docs/deployment')
const PROGRAM = buildProgram(() => () => Promise.reject(new Error('nothing is run here')))

/** Every operator command in the guides, in code blocks and in running text. */
function typedCommands(): [page: string, command: string][] {
  return readdirSync(FOLDER).flatMap((page) => {
    const text = readFileSync(path.join(FOLDER, page), 'utf8')
    const found = text.matchAll(/(?:^|`)sotto-server ([a-z][^`\n]*)/gm)
    return [...found].map(([, command = '']) => [page, command] as [string, string])
  })
}

/** Finds the command that the words name. Returns the command and the remaining words. */
function resolve(program: Command, words: readonly string[]): [Command, readonly string[]] {
  const next = program.commands.find((one) => one.name() === words[0])
  return next === undefined ? [program, words] : resolve(next, words.slice(1))
}

const typed = typedCommands()

it('the guides contain operator commands', () => {
  expect(typed.length).toBeGreaterThan(15)
})

it.each(typed)('%s names an existing command and its options: sotto-server %s', (_, line) => {
  const [command, rest] = resolve(PROGRAM, line.trim().split(' '))
  expect(command.commands, `${command.name()} runs without a subcommand`).toEqual([])
  const options = rest.filter((word) => word.startsWith('--'))
  const known = command.options.map(({ long }) => long)
  expect(known).toEqual(expect.arrayContaining(options))
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long)
  // In running text, a guide may name a command without its arguments, so required options are checked only for
  // complete commands.
  const isSpelledOut = options.includes('--admin') || options.includes('--account')
  if (isSpelledOut) expect(options).toEqual(expect.arrayContaining(required))
})

it('operations.md shows the output of the command `capital`', async () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const program = buildProgram(() => () => Promise.reject(new Error('no context is needed')))
  await program.parseAsync(['capital'], { from: 'user' })
  const page = readFileSync(path.join(FOLDER, 'operations.md'), 'utf8')
  expect(page).toContain(`\`\`\`text\n${String(printed.mock.calls[0]?.[0])}\n\`\`\``)
  printed.mockRestore()
})
