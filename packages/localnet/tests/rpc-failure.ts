import { isSolanaError } from '@solana/kit'
import { expect } from 'vitest'

/** Runs a call that must fail with this RPC code, and returns kit's error. */
export async function expectFailure(run: Promise<unknown>, code: number) {
  const error = await run.then(
    () => expect.fail(`expected the RPC error ${code}, got an answer`),
    (reason: unknown) => reason,
  )
  if (!isSolanaError(error)) throw error
  expect(error.context.__code).toBe(code)
  return error
}
