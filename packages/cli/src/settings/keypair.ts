import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { readIfThere } from './owned-file.ts'

const SOLANA = ['.config', 'solana']
const KEYPAIR_LINE = /^keypair_path:\s*["']?(.+?)["']?\s*$/m
const KEYPAIR_BYTES = 64

/** The keypair file that the Solana CLI would use: the file in its configuration, or else `id.json`. */
export async function defaultKeypairFile(): Promise<string> {
  const folder = join(homedir(), ...SOLANA)
  const configuration = await readIfThere(join(folder, 'cli', 'config.yml'))
  return KEYPAIR_LINE.exec(configuration ?? '')?.[1] ?? join(folder, 'id.json')
}

/** Reads a keypair in the Solana CLI's format: the 64 bytes as a JSON array. @throws CliError. */
export async function readKeypair(file: string): Promise<KeyPairSigner> {
  const text = await readIfThere(file)
  if (text === undefined) {
    throw new CliError(
      EXIT.config,
      'KEYPAIR_MISSING',
      `there is no keypair at ${file}`,
      'give another file with --keypair, or create one with: solana-keygen new',
    )
  }
  try {
    return await createKeyPairSignerFromBytes(bytesOf(JSON.parse(text)))
  } catch (cause) {
    const message = `${file} holds no keypair in the Solana CLI's format`
    throw new CliError(
      EXIT.config,
      'KEYPAIR_INVALID',
      message,
      'give another file with --keypair: a JSON array of 64 bytes, as solana-keygen writes it',
      { cause },
    )
  }
}

function bytesOf(value: unknown): Uint8Array {
  const isByte = (one: unknown) => Number.isInteger(one) && (one as number) >> 8 === 0
  if (!Array.isArray(value) || value.length !== KEYPAIR_BYTES || !value.every(isByte)) {
    throw new TypeError('not 64 bytes')
  }
  return new Uint8Array(value as number[])
}
