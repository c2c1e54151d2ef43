import { isAddress, type Address } from '@sotto/protocol'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { Environment } from './environment.ts'

/** Options that every command has. */
export interface GlobalOptions {
  readonly url?: string
  readonly rpc?: string
  readonly program?: string
  readonly keypair?: string
  readonly json?: boolean
  readonly table?: boolean
}

/** The locations of the service, the chain, and this machine's own files. */
export interface Settings {
  readonly url: string
  readonly rpcUrl: string
  /**
   * True if the user says that the node's chain is a local one, and the node is on this machine. The address alone is
   * no proof: a tunnel may lead from it to a public node.
   */
  readonly isLocalChain: boolean
  /** @throws CliError if the program isn't given, and service or node aren't on this machine. */
  readonly programId: Address
  /** Undefined if no file was specified. In that case the Solana CLI's default is used. */
  readonly keypairFile: string | undefined
  readonly apiKey: string | undefined
  readonly apiKeyFile: string
  /** The folder with unfinished transfers and tickets. Only its owner may read it. */
  readonly home: string
  readonly webhookSecret: string | undefined
}

/**
 * The addresses that `npm start` uses. With these defaults, a user of the local service has to set only the API key.
 */
export const LOCAL = {
  url: 'http://127.0.0.1:8080',
  rpcUrl: 'http://127.0.0.1:8899',
  programId: 'Sotto11111111111111111111111111111111111111',
} as const

/** Options override environment variables, and these override the defaults for the local chain. @throws CliError. */
export function readSettings(options: GlobalOptions, environment: Environment): Settings {
  const home = environment.home ?? join(homedir(), '.config', 'sotto')
  const given = options.program ?? environment.programId
  if (given !== undefined && !isAddress(given)) {
    throw wrong('the program id is not a base58 address', 'correct --program or SOTTO_PROGRAM_ID')
  }
  const url = httpUrl(options.url ?? environment.url ?? LOCAL.url, '--url or SOTTO_URL')
  const rpc = options.rpc ?? environment.rpcUrl ?? LOCAL.rpcUrl
  const rpcUrl = httpUrl(rpc, '--rpc or SOTTO_RPC_URL')
  return {
    ...{ url, rpcUrl },
    isLocalChain: environment.isLocalChain && isThisMachine(rpcUrl),
    // Many commands don't need the program, so throw only if a command reads it.
    get programId() {
      return given ?? localProgram([url, rpcUrl])
    },
    keypairFile: options.keypair ?? environment.keypair,
    apiKey: environment.apiKey,
    apiKeyFile: environment.apiKeyFile ?? join(home, 'api-key'),
    home,
    webhookSecret: environment.webhookSecret,
  }
}

/** The local program, which no other chain has. Under its address, other chains show no payment. @throws CliError. */
function localProgram(urls: readonly string[]): Address {
  if (urls.every(isThisMachine)) return LOCAL.programId as Address
  const message = "the address of the service's program is missing"
  throw wrong(message, 'give --program or SOTTO_PROGRAM_ID')
}

/**
 * True for an address on this machine, whose chain may be local. The SDK still checks that the chain isn't a public
 * chain.
 */
export const isThisMachine = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)

function httpUrl(text: string, where: string): string {
  const isHttp = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
  if (isHttp) return text
  throw wrong('the address of the service or node is not an http URL', `correct ${where}`)
}

const wrong = (message: string, next: string): CliError =>
  new CliError(EXIT.config, 'SETTING_INVALID', message, next)
