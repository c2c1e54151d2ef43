import { createHash } from 'node:crypto'

/** A block of Bitcoin: its height, and its header of 80 bytes in hex. This program can't check the height. */
export interface BitcoinBlock {
  kind: 'bitcoin'
  height: number
  header: string
}

// Minimum work of an accepted header. A header proves its own work. Every real block since February 2018 took more work
// than this minimum. An invented header needs at least this work too, so making many headers and choosing one is
// expensive.
const LEAST_WORK = 2n ** 73n

/** The Unix second that a block's miner wrote into the block. It may be wrong by up to two hours. */
export function timeOfBlock({ header }: BitcoinBlock): number {
  return Buffer.from(header, 'hex').readUInt32LE(68)
}

/**
 * The hash of a block in the usual byte order, in hexadecimal.
 *
 * @throws Error if the header isn't complete or lacks the work of a real block.
 */
export function hashOfBlock({ header }: BitcoinBlock): string {
  const bytes = Buffer.from(header, 'hex')
  if (bytes.length !== 80) throw new Error("A Bitcoin block's header has 80 bytes.")
  const sha256 = (data: Buffer) => createHash('sha256').update(data).digest()
  const hash = sha256(sha256(bytes)).reverse()
  const value = BigInt(`0x${hash.toString('hex')}`)
  if (value > targetOf(bytes.readUInt32LE(72)) || value * LEAST_WORK >= 2n ** 256n) {
    throw new Error('This is not the header of a Bitcoin block: it took too little work.')
  }
  return hash.toString('hex')
}

/**
 * The target: the largest hash that a block may have. The header contains it as a number of three bytes and an
 * exponent.
 */
function targetOf(bits: number): bigint {
  return BigInt(bits & 0x7fffff) << BigInt(8 * Math.max(0, (bits >>> 24) - 3))
}
