import { open } from 'node:fs/promises'

/**
 * The size of a file of powers of tau. `ceremonyPower` is the size of the ceremony that made the file. It is larger
 * than `power` if the file was truncated.
 */
export interface PowersHeader {
  power: number
  ceremonyPower: number
}

// iden3's format: magic, version and number of sections (4 bytes each), followed by the sections. Each section begins
// with 12 bytes of type and length. snarkjs always writes the header's section first.
const SECTION = 12
const CONTENT = SECTION + 12

/** Reads the header of a file of powers of tau over BN254. @throws Error if the file has another format. */
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
