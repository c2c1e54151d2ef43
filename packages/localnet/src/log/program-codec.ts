import type { Program } from '../chain/load-program.ts'
import { BinaryReader } from './binary-reader.ts'
import { BinaryWriter } from './binary-writer.ts'

export function encodeProgram(program: Program): Buffer {
  const writer = new BinaryWriter().address(program.address).bytes(program.bytes)
  writer.optional(program.upgradeAuthority, (authority) => writer.address(authority))
  return writer.finish()
}

export function decodeProgram(payload: Uint8Array): Program {
  const reader = new BinaryReader(payload)
  return {
    address: reader.address(),
    bytes: reader.bytes(),
    upgradeAuthority: reader.optional(() => reader.address()),
  }
}
