import { Command, InvalidArgumentError } from 'commander'
import { NATIVE_MINT } from '@sotto/protocol'
import { join, resolve } from 'node:path'
import { progressOn, silence } from './src/progress.ts'
import { START_COMMAND } from './src/start-command.ts'
import { assertFree } from './src/stack/assert-free.ts'
import { openLocalStack, type LocalStack, type OwnNode } from './src/stack/local-stack.ts'
import { writeEnvironment } from './src/stack/partner-environment.ts'
import { testWallet } from './src/stack/test-wallet.ts'

const portOf = (text: string): number => {
  const port = Number.parseInt(text, 10)
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('a port is a number from 0 to 65535')
  return port
}

const program = new Command(START_COMMAND)
  .description(
    'Keeps an embedded chain and the service running, with a test API key and a funded wallet.',
  )
  .option('--port <number>', 'port of the HTTP interface', portOf, 8080)
  .option(
    '--rpc-port <number>',
    "port of the chain's RPC; its WebSocket uses the next port",
    portOf,
    8899,
  )
  .option('--rpc <url>', 'a validator of your own, to use instead of starting a chain')
  .option('--program <address>', 'with --rpc: address of the program on that validator')
  .option(
    '--payer <keypair>',
    "with --rpc: keypair file of the program's upgrade authority, which pays for everything",
  )
  .option('--data <folder>', 'folder for chain, database and keys', '.sotto/local')
  .option('--json', 'print one JSON line and nothing else')

interface Options {
  readonly port: number
  readonly rpcPort: number
  readonly rpc?: string
  readonly program?: string
  readonly payer?: string
  readonly data: string
  readonly json?: boolean
}

program.parse()
const options = program.opts<Options>()

/** The validator that the options name; undefined if they name no validator. */
function ownNode(): OwnNode | undefined {
  const { rpc, program: deployed, payer } = options
  if (rpc === undefined && deployed === undefined && payer === undefined) return undefined
  if (rpc === undefined || deployed === undefined || payer === undefined) {
    return program.error('error: --rpc, --program and --payer belong together')
  }
  return { rpcUrl: rpc, program: deployed, payerFile: resolve(payer) }
}

let isInterrupted = false
const interrupted = new Promise<void>((done) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      isInterrupted = true
      done()
    })
  }
})

/** Funds the test wallet, and prints everything that a partner's program needs. */
async function tell(stack: LocalStack, folder: string): Promise<void> {
  const { baseUrl, docsUrl, sendUrl, consoleUrl, rpcUrl, setup } = stack
  const assets = { SOL: NATIVE_MINT, USDC: setup.usdc }
  const wallet = await testWallet(folder, stack, setup.usdc)
  const environment = await writeEnvironment(folder, {
    SOTTO_URL: baseUrl,
    SOTTO_API_KEY: setup.apiKey,
    SOTTO_RPC_URL: rpcUrl,
    SOTTO_PROGRAM_ID: stack.program,
    SOTTO_LOCAL_CHAIN: '1',
    SOTTO_KEYPAIR: wallet.file,
    SOTTO_WALLET: wallet.address,
    SOTTO_FEE_WALLET: setup.partner,
    SOTTO_USDC: setup.usdc,
  })
  if (options.json) {
    const chain = { rpcUrl, programId: stack.program, assets, wallet, feeWallet: setup.partner }
    process.stdout.write(
      `${JSON.stringify({ baseUrl, sendUrl, consoleUrl, apiKey: setup.apiKey, ...chain, environment })}\n`,
    )
  } else {
    const lines = [
      '',
      `  base URL    ${baseUrl}`,
      `  docs URL    ${docsUrl}`,
      `  send page   ${sendUrl}`,
      `  console     ${consoleUrl}`,
      `              its token is in ${join(folder, 'keys', 'operator-token')}`,
      `  RPC URL     ${rpcUrl}`,
      `  API key     ${setup.apiKey}`,
      `  assets      SOL ${assets.SOL}`,
      `              USDC ${assets.USDC}`,
      `  wallet      ${wallet.address}, with test money`,
      `  fee wallet  ${setup.partner}, registered for your share`,
      '  delays      seconds, for trying things out; a real service delays by minutes, because seconds hide nothing',
      '',
      '  To set all of this in another terminal:',
      '',
      `    . '${environment}'`,
      '',
      '  Ctrl-C stops.',
      '',
    ]
    process.stdout.write(lines.join('\n'))
  }
}

async function run(): Promise<number> {
  const node = ownNode()
  await assertFree(options.port, '--port')
  if (node === undefined) await assertFree(options.rpcPort, '--rpc-port')
  const folder = resolve(options.data)
  const stack = await openLocalStack({
    folder,
    apiPort: options.port,
    rpcPort: options.rpcPort,
    ...(node === undefined ? {} : { node }),
    progress: options.json ? silence : progressOn(process.stdout),
    // With test mode, partners can test every branch of their code here: docs/test-mode.md.
    settings: { SOTTO_TEST_MODE: 'true' },
    withPages: true,
  })
  await tell(stack, folder).catch(async (error: unknown) => {
    await stack.close()
    throw error
  })
  const lastWords = await Promise.race([interrupted, stack.failed])
  await stack.close()
  // Ctrl-C in a terminal also interrupts chain and service. They may exit before this process does.
  if (isInterrupted || lastWords === undefined) return 0
  process.stderr.write(`\nThe local stack stopped unexpectedly:\n${lastWords}\n`)
  return 1
}

try {
  process.exitCode = await run()
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`\n${START_COMMAND.replace(/ --$/, '')} failed: ${message}\n`)
  process.exitCode = 1
}
