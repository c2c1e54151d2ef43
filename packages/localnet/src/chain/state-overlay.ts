import type { Address } from '@solana/kit'
import type { Account } from './account.ts'
import type { Runtime } from './runtime.ts'

/**
 * Runs a function while the runtime contains older accounts, and restores the newest accounts afterwards. The runtime
 * has only one version of each account. So a simulation at an older commitment must replace accounts in the runtime.
 * The function must be synchronous, because no other code may read the older accounts.
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

/**
 * Moves program accounts to the end of the list. When a program account is written, the runtime compiles the program's
 * code. So the account with the code must be written first.
 */
export function programsLast(
  entries: readonly (readonly [Address, Account | null])[],
): (readonly [Address, Account | null])[] {
  const isProgram = (account: Account | null) => account?.executable === true
  return [
    ...entries.filter(([, account]) => !isProgram(account)),
    ...entries.filter(([, account]) => isProgram(account)),
  ]
}
