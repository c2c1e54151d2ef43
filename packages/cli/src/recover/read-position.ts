import {
  FIELD_MODULUS,
  isLeafIndex,
  TREE_ARITY,
  TREE_LEVELS,
  type NotePosition,
} from '@sotto/protocol'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import { readIfThere } from '../settings/owned-file.ts'

const SIBLINGS = TREE_LEVELS * (TREE_ARITY - 1)

/** The `recoveryProof` of a status record, in the service's format. */
interface WrittenProof {
  readonly leafIndex: number
  /** For each level from the leaf up, three siblings of 64 hexadecimal digits each. */
  readonly path: readonly string[]
}

/**
 * A note's position, from a file with a status record or only its `recoveryProof`. The file need not be trusted,
 * because its path must lead to a root on the chain. @throws CliError.
 */
export async function readPosition(file: string): Promise<NotePosition> {
  const text = await readIfThere(file)
  const proof = text === undefined ? undefined : proofIn(text)
  if (proof === undefined) {
    const message = `${file} holds no recoveryProof`
    const next = 'save a status record there: sotto status ID --json > FILE; or omit --path'
    throw new CliError(EXIT.usage, 'PATH_INVALID', message, next)
  }
  return {
    leafIndex: BigInt(proof.leafIndex),
    path: proof.path.map((node) => BigInt(`0x${node}`)),
  }
}

/** True for 64 hexadecimal digits of a number in the field. */
const isField = (node: unknown): boolean =>
  typeof node === 'string' && /^[0-9a-f]{64}$/.test(node) && BigInt(`0x${node}`) < FIELD_MODULUS

function proofIn(text: string): WrittenProof | undefined {
  // `status --watch` writes several records. Read the newest.
  const line = text.trim().split('\n').at(-1) ?? ''
  const found = [text, line].map(parsed).find((value) => value !== undefined)
  const value = (found ?? {}) as { order?: object; recoveryProof?: object }
  const record = (value.order ?? value) as { recoveryProof?: object }
  const proof = (record.recoveryProof ?? record) as Partial<WrittenProof>
  const { leafIndex, path } = proof
  const isPath = Array.isArray(path) && path.length === SIBLINGS && path.every(isField)
  const isIndex = Number.isSafeInteger(leafIndex) && isLeafIndex(BigInt(leafIndex as number))
  if (!isIndex || !isPath) return undefined
  return proof as WrittenProof
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
