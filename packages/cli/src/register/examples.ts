import type { Command } from 'commander'

/** Shows command lines, as a person would type them, under the help of a command. */
export const withExamples = (command: Command, ...lines: readonly string[]): Command =>
  command.addHelpText(
    'after',
    `\nExamples:\n${lines.map((line) => `  $ sotto ${line}`).join('\n')}`,
  )
