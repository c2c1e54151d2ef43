import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The environment of a partner's program, under the names that `sotto` also reads. */
export interface PartnerEnvironment {
  readonly SOTTO_URL: string
  readonly SOTTO_API_KEY: string
  readonly SOTTO_RPC_URL: string
  readonly SOTTO_PROGRAM_ID: string
  /** A file in the Solana CLI's format. */
  readonly SOTTO_KEYPAIR: string
  /** The address of that keypair, which holds test money. */
  readonly SOTTO_WALLET: string
  /** Registered to receive the partner's share: the `feeRecipientAddress` of a quote. */
  readonly SOTTO_FEE_WALLET: string
  /** The asset id of the test token. */
  readonly SOTTO_USDC: string
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Writes a file that a shell reads with `.`; it holds the API key, so only its owner may read it. */
export async function writeEnvironment(
  folder: string,
  environment: PartnerEnvironment,
): Promise<string> {
  const file = join(folder, 'partner.env')
  const lines = Object.entries(environment).map(
    ([name, value]) => `export ${name}=${quoted(value as string)}\n`,
  )
  await writeFile(file, lines.join(''), { mode: 0o600 })
  // Writing doesn't change the mode of an existing file.
  await chmod(file, 0o600)
  return file
}
