/**
 * `npm run validator`: finds or builds Agave's test validator, deploys the program on it, and keeps it running. Exit
 * codes: 0 after Ctrl-C or a build; 1 if the validator isn't built, can't be started or ends unexpectedly; 2 for a
 * wrong command line.
 */
import { Command } from 'commander'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { progressOn, silence } from '../../demo/src/progress.ts'
import { whole } from '../../testing/options/whole.ts'
import { buildValidator, plan } from './build-validator.ts'
import { findValidator } from './find-validator.ts'
import mainnet from './mainnet-features.json' with { type: 'json' }
import { SHREDS, SHREDS_MIN, startValidator, type RunningValidator } from './start-validator.ts'
import { FIRST_PORT } from './validator-ports.ts'

interface Options {
  readonly port: number
  readonly shreds: number
  readonly data: string
  readonly yes: boolean
  readonly buildOnly: boolean
  readonly json: boolean
}

const HELP = `
The variable SOTTO_VALIDATOR can name the executable. Without it, the command uses the executable that an earlier call
built, or else an executable on the path.
Each start begins a new ledger. RPC and faucet always listen on all of this machine's addresses. No option changes this,
so use the validator only behind a firewall.`

function parseOptions(argv: readonly string[]): Options {
  const command = new Command('npm run validator --')
    .description(
      "Keeps Agave's own test validator running, with mainnet's features and the program.",
    )
    .option(
      '--port <number>',
      'RPC port; the validator also uses the next 53',
      whole(1_024, 65_000),
      FIRST_PORT,
    )
    .option(
      '--shreds <n>',
      'how many shreds the ledger keeps',
      whole(SHREDS_MIN, 50_000_000),
      SHREDS,
    )
    .option('--data <folder>', 'folder of ledger, log and keypair', join('.sotto', 'validator'))
    .option('--yes', 'build the validator without asking, if it is not installed', false)
    .option('--build-only', 'find or build the validator, and start nothing', false)
    .option('--json', 'print one JSON line and nothing else', false)
    .addHelpText('after', HELP)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  command.parse([...argv], { from: 'user' })
  return command.opts<Options>()
}

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question('Build it now? [y/N] ')
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

/**
 * The path of the executable. If there is no executable, the function asks the user whether to build one. Undefined if
 * the user refuses.
 */
async function prepare({ yes, json }: Options, signal: AbortSignal): Promise<string | undefined> {
  const found = await findValidator()
  if ('executable' in found) return found.executable
  for (const reason of found.reasons) process.stderr.write(`${reason}\n`)
  process.stderr.write(`${plan()}\n`)
  if (!yes && !(await agrees())) {
    process.stderr.write('Nothing was built. With --yes, the validator is built without asking.\n')
    return undefined
  }
  return buildValidator(json ? silence : progressOn(process.stderr), signal)
}

function show({ rpcUrl, program, payerFile }: RunningValidator, json: boolean): void {
  if (json) return void process.stdout.write(`${JSON.stringify({ rpcUrl, program, payerFile })}\n`)
  const lines = [
    `  RPC URL   ${rpcUrl}`,
    `  program   ${program}, upgradeable by the payer`,
    `  payer     ${payerFile}, with 500 million SOL`,
    `  features  as on mainnet on ${mainnet.date}`,
    '',
    `  npm run e2e -- --rpc ${rpcUrl} --program ${program} --payer ${payerFile}`,
    '',
    '  Ctrl-C stops.',
    '',
  ]
  process.stdout.write(lines.join('\n'))
}

async function run(options: Options): Promise<0 | 1> {
  const stopping = new AbortController()
  const { signal } = stopping
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => stopping.abort())
  }
  const executable = await prepare(options, signal)
  if (executable === undefined) return 1
  if (options.buildOnly) {
    process.stdout.write(`${options.json ? JSON.stringify({ executable }) : executable}\n`)
    return 0
  }
  const { port: firstPort, shreds, json } = options
  const folder = resolve(options.data)
  const validator = await startValidator({ executable, folder, firstPort, shreds })
  show(validator, json)
  const interrupted = new Promise<undefined>((done) => {
    if (signal.aborted) done(undefined)
    signal.addEventListener('abort', () => done(undefined))
  })
  const lastWords = await Promise.race([interrupted, validator.ended])
  await validator.stop()
  if (lastWords === undefined) return 0
  process.stderr.write(`\nThe validator stopped unexpectedly:\n${lastWords}\n`)
  return 1
}

try {
  process.exitCode = await run(parseOptions(process.argv.slice(2)))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`\nnpm run validator failed: ${message}\n`)
  process.exitCode = 1
}
