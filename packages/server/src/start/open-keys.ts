import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openFileSecrets } from '../adapters/keystore/file-secrets.ts'
import { readOperatorToken } from '../adapters/keystore/operator-token.ts'
import { openVaultSecrets, readVaultOperatorToken } from '../adapters/keystore/vault-secrets.ts'
import { secretSource } from '../adapters/remote/secret-source.ts'
import { credentialsFrom, type CredentialSource } from '../adapters/signer/aws-credentials.ts'
import { readFileSigner } from '../adapters/signer/file-signer.ts'
import { openKms } from '../adapters/signer/kms-client.ts'
import { openKmsSigner } from '../adapters/signer/kms-signer.ts'
import { openVaultSigner } from '../adapters/signer/vault-signer.ts'
import { openKvStore } from '../adapters/vault/kv-store.ts'
import { openVault, type AskVault } from '../adapters/vault/vault-client.ts'
import type { Config, KeyReference } from '../config.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { KeptSecrets } from '../ports/secrets.ts'
import type { Signer } from '../ports/signer.ts'
import { OperatorError } from './operator-error.ts'

function vaultOf(config: Config, clock: Clock): AskVault {
  const { VAULT_URL, VAULT_TOKEN, VAULT_NAMESPACE, secretPaths } = config
  // The rules of the configuration require both settings if any key is in Vault.
  if (VAULT_URL === undefined || VAULT_TOKEN === undefined)
    throw new Error('SOTTO_VAULT_URL and SOTTO_VAULT_TOKEN are not set')
  const token = secretSource(VAULT_TOKEN, secretPaths['VAULT_TOKEN'])
  return openVault({ url: VAULT_URL, token, namespace: VAULT_NAMESPACE, clock })
}

function kvStoreOf(config: Config, clock: Clock) {
  return openKvStore(vaultOf(config, clock), config.VAULT_KV, config.VAULT_KV_PATH)
}

/** Opens the configured store of the hourly keys and of the pepper for API keys. */
export function openSecrets(config: Config, random: Random, clock: Clock): KeptSecrets {
  if (config.KEYSTORE === 'file') return openFileSecrets(config.KEYS, random)
  return openVaultSecrets(kvStoreOf(config, clock), random, clock)
}

/** Reads the token of the operator's endpoint from the store of the hourly keys. Creates the token if it is missing. */
export function openOperatorToken(config: Config, random: Random, clock: Clock): Promise<string> {
  if (config.KEYSTORE === 'file') return readOperatorToken(config.KEYS, random)
  return readVaultOperatorToken(kvStoreOf(config, clock), random)
}

function awsCredentialsOf(config: Config, clock: Clock): CredentialSource {
  const { AWS_CREDENTIALS_URL, AWS_CREDENTIALS_TOKEN, secretPaths } = config
  if (AWS_CREDENTIALS_URL !== undefined) {
    const token =
      AWS_CREDENTIALS_TOKEN === undefined
        ? undefined
        : secretSource(AWS_CREDENTIALS_TOKEN, secretPaths['AWS_CREDENTIALS_TOKEN'])
    return credentialsFrom(AWS_CREDENTIALS_URL, token, clock)
  }
  const [accessKeyId, secretAccessKey] = (
    ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const
  ).map((name) => secretSource(config[name] ?? '', secretPaths[name]))
  return async () => ({
    accessKeyId: (await accessKeyId?.()) ?? '',
    secretAccessKey: (await secretAccessKey?.()) ?? '',
  })
}

/** Opens a signing key. @throws KeypairFileError or RemoteError. Both messages name the fault. */
export async function openSigner(
  config: Config,
  { kind, name }: KeyReference,
  clock: Clock,
): Promise<Signer> {
  switch (kind) {
    case 'file':
      return readFileSigner(name)
    case 'vault':
      return openVaultSigner(vaultOf(config, clock), config.VAULT_TRANSIT, name)
    case 'aws-kms': {
      const { AWS_REGION: region = '', AWS_KMS_URL: url } = config
      const credentials = awsCredentialsOf(config, clock)
      return openKmsSigner(openKms({ region, url, credentials, clock }), name)
    }
  }
}

/** Opens the relayers' keys: those that the configuration names, or all JSON files in `relayers` of the keys folder. */
export async function openRelayers(config: Config, clock: Clock): Promise<Signer[]> {
  const references = config.RELAYER_KEYS ?? (await relayerFiles(join(config.KEYS, 'relayers')))
  return Promise.all(references.map((one) => openSigner(config, one, clock)))
}

async function relayerFiles(folder: string): Promise<KeyReference[]> {
  const names = await readdir(folder).catch((): string[] => [])
  const files = names.filter((name) => name.endsWith('.json')).sort()
  if (files.length === 0) {
    throw new OperatorError(
      `there is no relayer in ${folder}; make one with: solana-keygen new -o ${join(folder, '1.json')}`,
    )
  }
  return files.map((name) => ({ kind: 'file', name: join(folder, name) }))
}
