import { isAddress, type Address } from '@sotto/protocol'
import type { Command } from 'commander'
import { readFileSigner } from '../../adapters/signer/file-signer.ts'
import type { Signer } from '../../ports/signer.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { parseAddressOption } from '../pool/pool-options.ts'

/** A required signer. Either its key is on this machine, or it signs later on another machine. */
export type Party =
  | Signer
  | {
      readonly address: Address
      readonly sign?: undefined
      /** The durable nonce account that the party's transaction must use. */
      readonly nonce?: Address | undefined
    }

/** The options of a command whose transaction others may sign. */
export interface UnsignedOption {
  readonly unsigned?: boolean
  /** A durable nonce account. With it, the transaction stays valid until the nonce is used. */
  readonly nonce?: Address
}

/** Adds the options that `openParty` needs. */
export function withUnsigned(command: Command): Command {
  return command
    .option(
      '--unsigned',
      'simulate the transaction and print it for others to sign, for example for a multisig; instead of ' +
        'keypair files you may give addresses',
    )
    .option(
      '--nonce <address>',
      'with --unsigned: a durable nonce account, so that there is no hurry to sign and submit',
      parseAddressOption,
    )
}

/** Opens a keypair file, or accepts an address instead. @throws OperatorError, KeypairFileError. */
export async function openParty(
  named: string,
  { unsigned, nonce }: UnsignedOption,
): Promise<Party> {
  if (nonce !== undefined && unsigned !== true) throw new OperatorError('--nonce needs --unsigned')
  if (!isAddress(named)) {
    const signer = await readFileSigner(named)
    return unsigned === true ? { address: signer.address, nonce } : signer
  }
  if (unsigned === true) return { address: named, nonce }
  throw new OperatorError(
    `${named} is an address: name its keypair file, or add --unsigned to sign elsewhere`,
  )
}

/**
 * Returns the address of a party that needn't sign. `named` is this address, or the path of a keypair file.
 *
 * @throws KeypairFileError.
 */
export async function addressOf(named: string): Promise<Address> {
  return isAddress(named) ? named : (await readFileSigner(named)).address
}
