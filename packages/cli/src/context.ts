import type { SottoClient } from '@sotto/sdk/server'
import type { KeyPairSigner } from '@solana/kit'
import type { CliRpc } from './amounts/mint-decimals.ts'
import type { Output } from './output/output.ts'
import { readApiKey } from './settings/api-key.ts'
import type { Settings } from './settings/settings.ts'

/** A command's context. It reads keys and loads libraries only when they are needed. */
export interface CliContext {
  readonly settings: Settings
  readonly output: Output
  /** Ctrl-C aborts this signal. */
  readonly signal: AbortSignal
  readonly client: () => Promise<SottoClient>
  /** A client of the node. `stop` ends every request. */
  readonly rpc: (stop?: AbortSignal) => Promise<CliRpc>
  /** The path of the configured keypair file. */
  readonly keypairFile: () => Promise<string>
  readonly signer: () => Promise<KeyPairSigner>
}

/** Makes a context from valid settings. */
export function openContext(settings: Settings, output: Output, signal: AbortSignal): CliContext {
  const keypairFile = async () => {
    if (settings.keypairFile !== undefined) return settings.keypairFile
    return (await import('./settings/keypair.ts')).defaultKeypairFile()
  }
  return {
    ...{ settings, output, signal, keypairFile },
    client: async () => {
      const apiKey = await readApiKey(settings)
      const { createSottoClient } = await import('@sotto/sdk/server')
      return createSottoClient({ baseUrl: settings.url, apiKey })
    },
    rpc: async (stop) => (await import('@sotto/protocol')).createPacedRpc(settings.rpcUrl, stop),
    signer: async () => (await import('./settings/keypair.ts')).readKeypair(await keypairFile()),
  }
}
