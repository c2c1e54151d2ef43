import type { SottoClient } from '@sotto/sdk/server'
import type { KeyPairSigner } from '@solana/kit'
import type { CliRpc } from './amounts/mint-decimals.ts'
import type { Output } from './output/output.ts'
import { readApiKey } from './settings/api-key.ts'
import type { Settings } from './settings/settings.ts'

/** A command's context. Keys are read and libraries loaded only when needed. */
export interface CliContext {
  readonly settings: Settings
  readonly output: Output
  /** Ctrl-C aborts this signal. */
  readonly signal: AbortSignal
  readonly client: () => Promise<SottoClient>
  readonly rpc: () => Promise<CliRpc>
  /** The file of the keypair in use. */
  readonly keypairFile: () => Promise<string>
  readonly signer: () => Promise<KeyPairSigner>
}

/** A context for valid settings. */
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
    rpc: async () => (await import('@sotto/protocol')).createPacedRpc(settings.rpcUrl),
    signer: async () => (await import('./settings/keypair.ts')).readKeypair(await keypairFile()),
  }
}
