const NUMBER_BYTES = 32
/** Order of BN254's scalar field, little-endian. */
const FIELD = Buffer.from(
  '30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001',
  'hex',
).reverse()

/**
 * Writes a witness in the file format that snarkjs reads (`.wtns`, version 2): one section with the field and the
 * number of values, and one section with the values.
 *
 * @param {Uint8Array} witness values of 32 little-endian bytes
 */
export function wtnsFile(witness) {
  const header = Buffer.alloc(12 + 4 + NUMBER_BYTES + 4)
  writeSection(header, 1, header.length - 12)
  header.writeUInt32LE(NUMBER_BYTES, 12)
  header.set(FIELD, 16)
  header.writeUInt32LE(witness.length / NUMBER_BYTES, 16 + NUMBER_BYTES)
  const values = Buffer.alloc(12)
  writeSection(values, 2, witness.length)
  const start = Buffer.from('wtns\0\0\0\0\0\0\0\0', 'latin1')
  start.writeUInt32LE(2, 4)
  start.writeUInt32LE(2, 8)
  return new Uint8Array(Buffer.concat([start, header, values, witness]))
}

function writeSection(buffer, kind, length) {
  buffer.writeUInt32LE(kind, 0)
  buffer.writeBigUInt64LE(BigInt(length), 4)
}
