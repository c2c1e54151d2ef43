import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The environment variables for a partner's program. `sotto` reads the same names. */
export interface PartnerEnvironment {
  readonly SOTTO_URL: string
  readonly SOTTO_API_KEY: string
  readonly SOTTO_RPC_URL: string
  readonly SOTTO_PROGRAM_ID: string
  /** Says that the node's chain is a local one, whose clock may differ from the machine's. */
  readonly SOTTO_LOCAL_CHAIN: '1'
  /** The path of a keypair file in the Solana CLI's format. */
  readonly SOTTO_KEYPAIR: string
  /** The address of that keypair, which holds test money. */
  readonly SOTTO_WALLET: string
  /** A wallet that is registered to receive the partner's share. A quote names it as `feeRecipientAddress`. */
  readonly SOTTO_FEE_WALLET: string
  /** The asset id of the test token. */
  readonly SOTTO_USDC: string
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Writes a file that a shell reads with the `.` command. The file has the API key, so only its owner may read it. */
export async function writeEnvironment(
  folder: string,
  environment: PartnerEnvironment,
): Promise<string> {
  const file = join(folder, 'partner.env')
  const lines = Object.entries(environment).map(
    ([name, value]) => `export ${name}=${quoted(value as string)}\n`,
  )
  await writeFile(file, lines.join(''), { mode: 0o600 })
  // Writing to an existing file doesn't change its mode.
  await chmod(file, 0o600)
  return file
}
