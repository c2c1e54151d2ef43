import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Address } from '@solana/kit'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'

/** Ports for the service's listeners. They differ from the validator's ports. */
const [API_PORT, METRICS_PORT] = ['18890', '18891'] as const

/**
 * The environment of an operator who follows docs/deployment/cluster.md ("the guide"). `env` has the settings, and a
 * PATH that contains the guide's commands.
 */
export interface Cast {
  readonly env: Readonly<Record<string, string>>
  /** The keypair file of the deploying wallet. */
  readonly deployer: string
}

export interface CastOptions {
  /** The folder of the built service. */
  readonly service: string
  /** The path of the Solana CLI; undefined to use the replacement in solana.ts. */
  readonly solana: string | undefined
  /** The address of the multisig's vault; undefined if a single key is the admin. */
  readonly admin: Address | undefined
}

/**
 * Writes the keys that the guide names into the folder `~/sotto` of a home folder. Writes the guide's commands into a
 * folder of the PATH.
 */
export async function prepareCast(
  home: string,
  rpcUrl: string,
  { service, solana, admin }: CastOptions,
): Promise<Cast> {
  const folder = path.join(home, 'sotto')
  const key = async (name: string) => (await keypairFile(path.join(folder, name))).address
  const bin = path.join(home, 'bin')
  await mkdir(bin, { recursive: true })
  const node = `exec '${process.execPath}'`
  const command = (name: string, line: string) =>
    writeFile(path.join(bin, name), `#!/bin/sh\n${line} "$@"\n`, { mode: 0o755 })
  const standIn = path.join(repositoryRoot, 'tools/deployment/solana.ts')
  const tsx = path.join(repositoryRoot, 'node_modules/tsx/dist/loader.mjs')
  await command('sotto-server', `${node} '${path.join(service, 'server/sotto-server.mjs')}'`)
  await command(
    'solana',
    solana === undefined ? `${node} --import '${tsx}' '${standIn}'` : `exec '${solana}'`,
  )
  const deployer = await key('deployer.json')
  return {
    deployer,
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      PROGRAM: await key('program.json'),
      MULTISIG: admin ?? (await key('admin.json')),
      AUTHORISER: await key('keys/authoriser.json'),
      NEXT: await key('next-authoriser.json'),
      NONCE: await key('nonce.json'),
      RELAYER: await key('keys/relayers/relayer-1.json'),
      PARTNER: await key('partner.json'),
      SOTTO_PROGRAM_ID: await key('program.json'),
      SOTTO_CLUSTER: 'localnet',
      SOTTO_RPC_URL: rpcUrl,
      SOTTO_DATA: path.join(folder, 'data'),
      SOTTO_KEYS: path.join(folder, 'keys'),
      SOTTO_PORT: API_PORT,
      SOTTO_METRICS_PORT: METRICS_PORT,
    },
  }
}
