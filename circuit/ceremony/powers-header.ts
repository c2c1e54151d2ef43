import { open } from 'node:fs/promises'

/**
 * The size of a file of powers of tau. `ceremonyPower` is larger than `power` if the file was truncated to fewer
 * powers.
 */
export interface PowersHeader {
  power: number
  ceremonyPower: number
}

// iden3's format: magic, version and number of sections (4 bytes each), then sections that each begin with
// 12 bytes of type and length. In every file that snarkjs writes, the header's section comes first.
const SECTION = 12
const CONTENT = SECTION + 12

/** Reads the header of a file of powers of tau over BN254. @throws Error if the file is of another kind. */
export async function readPowersHeader(path: string): Promise<PowersHeader> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CONTENT + 44), 0, CONTENT + 44, 0)
    const isHeader =
      bytesRead === buffer.length &&
      buffer.toString('latin1', 0, 4) === 'ptau' &&
      buffer.readUInt32LE(SECTION) === 1 &&
      buffer.readUInt32LE(CONTENT) === 32
    if (!isHeader) throw new Error('This is not a file of powers of tau over BN254.')
    return {
      power: buffer.readUInt32LE(CONTENT + 36),
      ceremonyPower: buffer.readUInt32LE(CONTENT + 40),
    }
  } finally {
    await file.close()
  }
}
