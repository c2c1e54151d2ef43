import type { Command } from 'commander'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { buildProgram, printResult, settingsOf } from './build-program.ts'
import { OperatorError } from '../start/operator-error.ts'
import { withOpenedContext } from './open-context.ts'

const Line = z.array(z.string()).min(1)

/**
 * `batch <file>`: runs several operator commands and opens the database only once, because opening the embedded
 * database takes seconds. The commands run in order. The first command that fails ends the batch. All commands can be
 * repeated, so a corrected file can be run again from its start.
 */
export function registerBatchCommand(program: Command): void {
  program
    .command('batch')
    .description('Run operator commands from a file. Each line is a JSON array of arguments.')
    .argument(
      '<file>',
      'a file with one command on each line, for example ["account", "add", "--id", "shop", "--name", "Shop"]',
    )
    .action((file: string) => runBatch(file, settingsOf(program), printResult(program)))
}

async function runBatch(
  file: string,
  readConfig: () => Config,
  out: (result: object) => void,
): Promise<void> {
  const lines = parseLines(file, await readFile(file, 'utf8'))
  await withOpenedContext(readConfig, out, async (context) => {
    for (const args of lines) {
      const one = buildProgram(() => (work) => work(context), readConfig)
      await one.parseAsync(args, { from: 'user' })
    }
  })
}

function parseLines(file: string, text: string): string[][] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = Line.safeParse(parsedOf(line))
    if (parsed.success) return [parsed.data]
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
