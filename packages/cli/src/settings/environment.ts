/** The variables that the command reads. All other settings come from options and files. */
export interface Environment {
  readonly url: string | undefined
  readonly rpcUrl: string | undefined
  readonly programId: string | undefined
  readonly apiKey: string | undefined
  readonly apiKeyFile: string | undefined
  readonly keypair: string | undefined
  readonly home: string | undefined
  /** True if the user says that the node's chain is a local one. */
  readonly isLocalChain: boolean
  /** The secret with which `listen` signs forwarded events. */
  readonly webhookSecret: string | undefined
}

/** The only code that reads environment variables. An empty variable counts as missing. */
export function readEnvironment(): Environment {
  const read = (name: string): string | undefined => process.env[name] || undefined
  return {
    url: read('SOTTO_URL'),
    rpcUrl: read('SOTTO_RPC_URL'),
    programId: read('SOTTO_PROGRAM_ID'),
    apiKey: read('SOTTO_API_KEY'),
    apiKeyFile: read('SOTTO_API_KEY_FILE'),
    keypair: read('SOTTO_KEYPAIR'),
    home: read('SOTTO_HOME'),
    isLocalChain: read('SOTTO_LOCAL_CHAIN') === '1',
    webhookSecret: read('SOTTO_WEBHOOK_SECRET'),
  }
}
