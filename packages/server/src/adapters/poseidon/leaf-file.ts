import { open, type FileHandle } from 'node:fs/promises'
import { writeWholeFile } from '../files/whole-file.ts'

// A leaf file starts with this line. The leaves follow, each as 32 big-endian bytes, as on the chain.
const HEAD = Buffer.from('sotto leaves 1\n')
const NODE_BYTES = 32
/** Number of bytes per read: a whole number of leaves, and enough to be fast. */
const PIECE_BYTES = 1 << 20

/** Thrown if a file isn't a leaf file, or if it was truncated. */
export class LeafFileError extends Error {
  override readonly name = 'LeafFileError'
}

/**
 * Writes leaves to a new file, 32 big-endian bytes each. Returns the number of leaves. The file appears only once it
 * has all leaves. @throws Error with the code EEXIST if the file exists already.
 */
export async function writeLeafFile(
  path: string,
  leaves: AsyncIterable<Uint8Array>,
): Promise<number> {
  return writeWholeFile(path, 'kept', async (file) => {
    let count = 0
    await file.writeFile(HEAD)
    for await (const leaf of leaves) {
      await file.writeFile(leaf)
      count += leaf.length / NODE_BYTES
    }
    return count
  })
}

/**
 * Reads all leaves of a file. Returns 32 little-endian bytes for each leaf, as the functions that build a tree expect.
 * @throws LeafFileError if the file isn't a complete leaf file.
 */
export async function readLeafFile(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const size = (await file.stat()).size - HEAD.length
    const head = Buffer.alloc(HEAD.length)
    await file.read(head, 0, HEAD.length, 0)
    if (!head.equals(HEAD) || size % NODE_BYTES !== 0) {
      throw new LeafFileError(`${path} is not a complete file of leaves`)
    }
    const leaves = new Uint8Array(size)
    for (let at = 0; at < size; at += PIECE_BYTES) {
      await readPiece(file, leaves.subarray(at, at + PIECE_BYTES), HEAD.length + at)
    }
    return leaves
  } finally {
    await file.close()
  }
}

async function readPiece(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < piece.length;) {
    const { bytesRead } = await file.read(piece, done, piece.length - done, position + done)
    if (bytesRead === 0) throw new LeafFileError('the file was truncated while it was read')
    done += bytesRead
  }
  for (let at = 0; at < piece.length; at += NODE_BYTES) {
    piece.subarray(at, at + NODE_BYTES).reverse()
  }
}
