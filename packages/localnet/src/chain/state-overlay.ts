import type { Address } from '@solana/kit'
import type { Account } from './account.ts'
import type { Runtime } from './runtime.ts'

/**
 * Runs something while the runtime holds older accounts, and puts the newest back. The runtime has one state
 * only, so this is how a simulation sees the state of a commitment. Nothing may await in between: the older
 * accounts must be gone before other code reads.
 */
export function withOlderAccounts<T>(
  runtime: Runtime,
  older: ReadonlyMap<Address, Account | null>,
  run: () => T,
): T {
  const newest = [...older.keys()].map(
    (address) => [address, runtime.readAccount(address)] as const,
  )
  try {
    for (const [address, account] of programsLast([...older])) {
      runtime.writeAccount(address, account)
    }
    return run()
  } finally {
    for (const [address, account] of programsLast(newest)) runtime.writeAccount(address, account)
  }
}

/** Writing a program makes the runtime compile its code, which must already be in place. */
export function programsLast(
  entries: readonly (readonly [Address, Account | null])[],
): (readonly [Address, Account | null])[] {
  const isProgram = (account: Account | null) => account?.executable === true
  return [
    ...entries.filter(([, account]) => !isProgram(account)),
    ...entries.filter(([, account]) => isProgram(account)),
  ]
}
