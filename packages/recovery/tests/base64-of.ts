import type { DataSlice } from '@sotto/protocol'

/** An account's data in base64, or the requested part of it, as a node returns it. */
export const base64Of = (
  data: Uint8Array,
  { offset, length }: DataSlice = { offset: 0, length: data.length },
): string => Buffer.from(data.subarray(offset, offset + length)).toString('base64')
