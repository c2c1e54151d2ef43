import { UnloadableProgram } from './chain/load-program.ts'
import { DamagedLog, DataFolderConflict, DataFolderLocked } from './log/log-errors.ts'
import { parseCommandLine } from './options.ts'
import { startLocalnet } from './start.ts'

const options = parseCommandLine(process.argv.slice(2))

try {
  const localnet = await startLocalnet({
    port: options.port,
    host: options.host,
    ...(options.data === undefined ? {} : { dataFolder: options.data }),
    programs: options.program,
    slotMs: options.slotMs,
    standardOnly: options.standardOnly,
    ...(options.rent === undefined ? {} : { lamportsPerByte: options.rent }),
    // A chain that can't write must stop. Otherwise a restart would lose everything that the chain reported after the
    // failure.
    onJournalFailure: (error) => fail(`The log can't be written: ${describe(error)}`),
    onInternalError: (error) => process.stderr.write(`${describe(error)}\n`),
  })
  const { rpcUrl, wsUrl } = localnet
  process.stdout.write(
    options.json ? `${JSON.stringify({ rpcUrl, wsUrl })}\n` : `RPC ${rpcUrl}\nWebSocket ${wsUrl}\n`,
  )
  const stop = () => void localnet.stop().then(() => process.exit(0))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
} catch (error) {
  fail(explain(error))
}

function explain(error: unknown): string {
  if (
    error instanceof DamagedLog ||
    error instanceof DataFolderConflict ||
    error instanceof DataFolderLocked ||
    error instanceof UnloadableProgram
  ) {
    return error.message
  }
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `${error.message}. Choose another port with --port (WebSocket takes the port after it).`
  }
  return describe(error)
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
