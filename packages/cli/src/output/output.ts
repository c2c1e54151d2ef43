import pc from 'picocolors'
import { ask } from './ask.ts'
import type { Failure } from '../explain-failure.ts'
import { flat, printable, printableLines } from './printable.ts'
import { progressOn, type Progress } from './progress.ts'
import type { Stream } from './stream.ts'
import { NARROWEST } from './table.ts'

/** Writes a command's results: for a person as tables, for a script as one line of JSON per result. */
export interface Output {
  readonly isJson: boolean
  /** True if the command can ask a person. */
  readonly isInteractive: boolean
  readonly progress: Progress
  /** Maximum width of a table, in terminal columns. */
  readonly width: number
  /** Writes a result. `show` returns it as text for a person. */
  result(value: object, show: () => string): void
  /** Waits until all results are written. Returns the reason if one of them couldn't be written. */
  written(): Promise<Error | undefined>
  /** Writes an additional text for a person. Scripts don't get it. */
  note(text: string): void
  /**
   * Writes to standard error what must not be lost if the process is killed: the text for a person, or the value for a
   * script.
   */
  record(value: object, text: string): void
  /** Asks the person at the terminal. Only `y` and `yes` count as yes. */
  ask(question: string, signal: AbortSignal): Promise<boolean>
  /** Prints the reason why a command failed, and the next step, to standard error. */
  failure(failure: Failure): void
}

export interface OutputOptions {
  readonly json?: boolean | undefined
  readonly table?: boolean | undefined
}

/** By default, writes tables to a terminal, and JSON to anything else. Options override this. */
export function openOutput(
  { json, table }: OutputOptions,
  streams: {
    readonly stdout: Stream
    readonly stderr: Stream
    readonly stdin: { isTTY?: boolean }
  },
): Output {
  const { stdout, stderr, stdin } = streams
  const isJson = json === true || (table !== true && stdout.isTTY !== true)
  const isSilent = isJson && stderr.isTTY !== true
  const progress = progressOn(stderr, isSilent)
  let written: Promise<Error | undefined> = Promise.resolve(undefined)
  return {
    isJson,
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    progress,
    width: stdout.columns ?? NARROWEST,
    result: (value, show) => {
      progress.clear()
      const text = isJson ? JSON.stringify(value, withBigints) : printableLines(show())
      const before = written
      const now = writeAll(stdout, `${text}\n`)
      written = before.then(async (error) => error ?? (await now))
    },
    written: () => written,
    note: (text) => {
      progress.clear()
      if (!isSilent) stderr.write(`${printableLines(text)}\n`)
    },
    record: (value, text) => {
      progress.clear()
      stderr.write(`${isSilent ? JSON.stringify(value, withBigints) : printableLines(text)}\n`)
    },
    ask: (question, signal) => {
      progress.clear()
      return ask(printable(question), signal)
    },
    failure: (failure) => {
      progress.clear()
      const { code, message, next } = failure
      stderr.write(
        isJson
          ? `${JSON.stringify({ error: failure })}\n`
          : `${pc.red('sotto:')} ${flat(message)}\n  ${flat(code)}; next: ${flat(next)}\n`,
      )
    },
  }
}

/** Resolves once the text is written, or to the reason why it can't be written. */
const writeAll = (stream: Stream, text: string): Promise<Error | undefined> =>
  new Promise((resolve) => {
    stream.write(text, (error) => resolve(error ?? undefined))
  })

/** In JSON, amounts are strings of digits, because a JSON number would lose precision. */
const withBigints = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}` : value
