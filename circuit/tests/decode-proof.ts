import type { Groth16Proof } from 'snarkjs'

const BASE_FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n

/** Converts a proof from the program's format to snarkjs' format. */
export function decodeProof(base64: string): Groth16Proof {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== 256) throw new Error('A proof has 256 bytes.')
  const numbers = Array.from({ length: 8 }, (_, at) =>
    BigInt(`0x${bytes.subarray(at * 32, at * 32 + 32).toString('hex')}`),
  )
  const [ax, minusAy, bx1, bx0, by1, by0, cx, cy] = numbers as [
    ...[bigint, bigint, bigint, bigint],
    ...[bigint, bigint, bigint, bigint],
  ]
  const text = String
  return {
    pi_a: [text(ax), text(BASE_FIELD - minusAy), '1'],
    pi_b: [
      [text(bx0), text(bx1)],
      [text(by0), text(by1)],
      ['1', '0'],
    ],
    pi_c: [text(cx), text(cy), '1'],
  }
}
