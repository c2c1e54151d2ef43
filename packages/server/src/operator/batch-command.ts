import { CommanderError, type Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { buildProgram, printResult, settingsOf } from './build-program.ts'
import { EXIT } from '../start/explain-failure.ts'
import { OperatorError } from '../start/operator-error.ts'
import { withOpenedContext } from './open-context.ts'

const Args = z.array(z.string()).min(1)

/** One command of the file. */
interface Line {
  /** The line's number, from 1. */
  readonly number: number
  readonly args: readonly string[]
}

/**
 * `batch <file>`: runs several operator commands and opens the database only once, because opening the embedded
 * database takes seconds. No command runs before the arguments of every line have been parsed. The commands run in
 * order. The first command that fails ends the batch, and its error names the lines that ran. These lines aren't
 * undone, and some commands, such as `inventory add`, act again at each repetition.
 */
export function registerBatchCommand(program: Command): void {
  program
    .command('batch')
    .description(
      'Run operator commands from a file. Each line is a JSON array of arguments. A wrong option in any line is found before the first command runs. ' +
        'If a command fails, the message names the lines that ran: remove these lines before you run the file again.',
    )
    .argument(
      '<file>',
      'a file with one command on each line, for example ["account", "add", "--id", "shop", "--name", "Shop"]',
    )
    .action(async (file: string, _: object, command: Command) => {
      const readConfig = settingsOf(program)
      const lines = parseLines(file, await readFile(file, 'utf8'))
      for (const { number, args } of lines) {
        const mistake = await mistakeIn(args, readConfig)
        if (mistake === undefined) continue
        const message = `${file}, line ${number}: ${mistake}; no command was run`
        command.error(message, { exitCode: EXIT.usage })
      }
      await runBatch(file, lines, readConfig, printResult(program))
    })
}

async function runBatch(
  file: string,
  lines: readonly Line[],
  readConfig: () => Config,
  out: (result: object) => void,
): Promise<void> {
  await withOpenedContext(readConfig, out, async (context) => {
    const ran: number[] = []
    for (const { number, args } of lines) {
      const one = buildProgram(() => (work) => work(context), readConfig)
      try {
        await one.parseAsync(args, { from: 'user' })
      } catch (error) {
        // The error keeps its class, which decides the exit code.
        context.report?.(`${file}, line ${number}: this command failed; ${effectOf(ran)}`)
        throw error
      }
      ran.push(number)
    }
  })
}

const effectOf = (ran: readonly number[]): string =>
  ran.length === 0
    ? 'no other command was run'
    : `the commands of these lines were run: ${ran.join(', ')}; remove these lines before you run the file again`

/** Parses a command without running it. Returns the mistake in its arguments; undefined if there is none. */
async function mistakeIn(
  args: readonly string[],
  readConfig: () => Config,
): Promise<string | undefined> {
  const parsed = new Error('the command was parsed')
  const program = buildProgram(() => async () => undefined, readConfig)
  const ignore = () => undefined
  program.configureOutput({ writeOut: ignore, writeErr: ignore }).hook('preAction', () => {
    throw parsed
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error === parsed) return undefined
    if (!(error instanceof CommanderError)) throw error
    if (!HELP.test(error.code)) return error.message
  }
  return 'this is no complete command'
}

/** Matches Commander's codes for arguments that only print the help or the version. */
const HELP = /^commander\.(help|version)/

function parseLines(file: string, text: string): Line[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = Args.safeParse(parsedOf(line))
    if (parsed.success) return [{ number: index + 1, args: parsed.data }]
    throw new OperatorError(
      `${file}, line ${index + 1}: not a JSON array of strings; no command was run`,
    )
  })
}

function parsedOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
