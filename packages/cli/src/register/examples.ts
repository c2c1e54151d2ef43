import type { Command } from 'commander'

/** Adds example command lines to a command's help. */
export const withExamples = (command: Command, ...lines: readonly string[]): Command =>
  command.addHelpText(
    'after',
    `\nExamples:\n${lines.map((line) => `  $ sotto ${line}`).join('\n')}`,
  )
