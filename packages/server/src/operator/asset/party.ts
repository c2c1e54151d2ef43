import { isAddress, type Address } from '@sotto/protocol'
import type { Command } from 'commander'
import { readFileSigner } from '../../adapters/signer/file-signer.ts'
import type { Signer } from '../../ports/signer.ts'
import { OperatorError } from '../../start/operator-error.ts'

/** A required signer. Its key is on this machine, or the party signs later on another machine. */
export type Party = Signer | { readonly address: Address; readonly sign?: undefined }

/** The option of a command whose transaction others may sign. */
export interface UnsignedOption {
  readonly unsigned?: boolean
}

/** Adds the option that `openParty` takes. */
export function withUnsigned(command: Command): Command {
  return command.option(
    '--unsigned',
    'try the transaction and print it for others to sign, for example for a multisig; instead of ' +
      'keypair files you may give addresses',
  )
}

/** Opens a keypair file, or accepts an address instead. @throws OperatorError, KeypairFileError. */
export async function openParty(named: string, { unsigned }: UnsignedOption): Promise<Party> {
  if (!isAddress(named)) {
    const signer = await readFileSigner(named)
    return unsigned === true ? { address: signer.address } : signer
  }
  if (unsigned === true) return { address: named }
  throw new OperatorError(
    `${named} is an address: name its keypair file, or add --unsigned to sign elsewhere`,
  )
}

/** The address of a party that needn't sign, from an address or a keypair file. @throws KeypairFileError. */
export async function addressOf(named: string): Promise<Address> {
  return isAddress(named) ? named : (await readFileSigner(named)).address
}
