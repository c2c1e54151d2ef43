import type { LeavesResponse } from '../schemas/leaves.ts'

export const LEAVES: LeavesResponse = {
  success: true,
  from: 1_024,
  leaves: [
    '1f1b2a4f0a7d1a4bb7a7e0b2f4f2c7b8d3d4f5a60718293a4b5c6d7e8f901a2b',
    '0c3b8a5d6e7f80912a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091',
  ],
  nextIndex: 1_026,
}
