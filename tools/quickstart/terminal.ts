import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'

/** How the programs in a terminal ended. */
export interface Ending {
  /** The exit code; null if a signal ended the program. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly complaints: string
}

/** A shell that runs commands one after another and shows their output. */
export interface Terminal {
  /** Types a command, waits for its end and returns its output. @throws Error if the command fails. */
  readonly type: (command: string) => Promise<string>
  /** Waits until the output of the last command satisfies `isSeen`. The command may still be running. */
  readonly until: (isSeen: (printed: string) => boolean) => Promise<void>
  /** Types a command and leaves it running. */
  readonly leave: (command: string) => void
  /** Sends SIGINT to all programs in the terminal, as Ctrl-C does. Resolves when all of them have ended. */
  readonly interrupt: () => Promise<Ending>
}

/**
 * Collects a shell's output. Pages are compared only with standard output. Standard error is shown if a command fails.
 */
function collect(shell: ChildProcess) {
  const read = { printed: '', complaints: '' }
  const waiting = new Set<() => void>()
  // No limit, because each command of a page adds a listener for the terminal's end.
  shell.setMaxListeners(0)
  const wake = () => waiting.forEach((look) => look())
  shell.stdout?.setEncoding('utf8').on('data', (text: string) => {
    read.printed += text
    wake()
  })
  shell.stderr?.setEncoding('utf8').on('data', (text: string) => (read.complaints += text))
  const until = (isSeen: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!isSeen()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      shell.once('close', (code) =>
        reject(new Error(`the terminal ended with ${code}\n${read.printed}\n${read.complaints}`)),
      )
      look()
    })
  return { read, until }
}

const shells = new Set<ChildProcess>()

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The process group doesn't exist any more, because its last program has just ended.
  }
}

/**
 * Ends all programs in all terminals when this process ends, even if a signal ends it. If they kept running after an
 * interrupted run, a service could occupy a port that the next run needs.
 */
export function endTerminalsAtExit(): void {
  process.once('exit', () => {
    for (const shell of shells) signalGroup(shell, 'SIGTERM')
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

/** Opens a terminal in a folder. */
export function openTerminal(cwd: string, env: NodeJS.ProcessEnv): Terminal {
  const shell = spawn('sh', ['-e'], { cwd, env, detached: true })
  shells.add(shell)
  shell.once('close', () => shells.delete(shell))
  const { read, until } = collect(shell)
  let commands = 0
  return {
    type: async (command) => {
      commands += 1
      const mark = `--- command ${commands} is done ---`
      read.printed = ''
      shell.stdin.write(`${command}\necho; echo '${mark}'\n`)
      await until(() => read.printed.includes(`\n${mark}\n`))
      return read.printed.slice(0, read.printed.indexOf(`\n${mark}\n`))
    },
    until: (isSeen) => until(() => isSeen(read.printed)),
    leave: (command) => {
      read.printed = ''
      shell.stdin.write(`exec ${command}`)
    },
    interrupt: () =>
      new Promise((resolve) => {
        const end = (code: number | null, signal: NodeJS.Signals | null) =>
          resolve({ code, signal, complaints: read.complaints })
        const isOver = shell.exitCode !== null || shell.signalCode !== null
        if (isOver || shell.pid === undefined) return end(shell.exitCode, shell.signalCode)
        shell.once('close', end)
        process.kill(-shell.pid, 'SIGINT')
        shell.stdin.end()
      }),
  }
}
