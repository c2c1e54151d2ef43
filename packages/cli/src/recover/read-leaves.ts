import { fieldFromBytes } from '@sotto/protocol'
import { readFile } from 'node:fs/promises'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

// As `sotto-server leaves export` writes it: this line, then each leaf as 32 big-endian bytes.
const HEAD = 'sotto leaves 1\n'
const LEAF_BYTES = 32

/**
 * The pool's first leaves, from a file that any operator or user may publish: they are public, and the
 * chain's root shows whether they are correct. @throws CliError.
 */
export async function readLeaves(file: string): Promise<bigint[]> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw wrong(file, cause)
  })
  const body = bytes.subarray(HEAD.length)
  const isWhole = bytes.subarray(0, HEAD.length).toString('latin1') === HEAD
  if (!isWhole || body.length % LEAF_BYTES !== 0) throw wrong(file)
  const leaves: bigint[] = []
  for (let at = 0; at < body.length; at += LEAF_BYTES) {
    leaves.push(fieldFromBytes(new Uint8Array(body.subarray(at, at + LEAF_BYTES))))
  }
  return leaves
}

const wrong = (file: string, cause?: unknown): CliError =>
  new CliError(
    EXIT.usage,
    'LEAVES_INVALID',
    `${file} is not a complete file of leaves`,
    'give one that "sotto-server leaves export" made, or omit --leaves',
    { cause },
  )
