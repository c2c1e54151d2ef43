import { fieldFromBytes } from '@sotto/protocol'
import { heldLeaves, pagedSource, pageIn, publishedLeaves, type LeafSource } from '@sotto/recovery'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'

// The format of `sotto-server leaves export`: this line, and then each leaf as 32 big-endian bytes.
const HEAD = 'sotto leaves 1\n'
const LEAF_BYTES = 32

/**
 * The published leaves of a pool: from a URL, from a folder that `sotto-server leaves publish` wrote, or from one
 * file. Leaves are public, and the chain's root shows whether they are correct. @throws CliError.
 */
export async function leafSource(place: string): Promise<LeafSource> {
  if (/^https?:\/\//.test(place)) return publishedLeaves(place)
  const found = await stat(place).catch((cause: unknown) => {
    throw wrong(place, cause)
  })
  if (found.isDirectory()) return pagesIn(place)
  return heldLeaves(leavesIn(place, await readFile(place)))
}

/** Reads pages from a folder. The first missing page marks the end of the leaves. */
function pagesIn(folder: string): LeafSource {
  return pagedSource(async (first) => {
    const text = await readFile(join(folder, `${first}.json`), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : pageIn(text)
  })
}

function leavesIn(file: string, bytes: Buffer): bigint[] {
  const body = bytes.subarray(HEAD.length)
  const isWhole = bytes.subarray(0, HEAD.length).toString('latin1') === HEAD
  try {
    if (!isWhole) return pageIn(bytes.toString('utf8'))
    const leaves: bigint[] = []
    for (let at = 0; at < body.length; at += LEAF_BYTES) {
      leaves.push(fieldFromBytes(new Uint8Array(body.subarray(at, at + LEAF_BYTES))))
    }
    return leaves
  } catch (cause) {
    throw wrong(file, cause)
  }
}

const wrong = (place: string, cause: unknown): CliError =>
  new CliError(
    EXIT.usage,
    'LEAVES_INVALID',
    `${place} holds no complete leaves`,
    'give a URL, or a folder or file that "sotto-server leaves" made, or omit --leaves',
    { cause },
  )
