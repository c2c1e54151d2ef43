import { NATIVE_MINT } from '@sotto/protocol'

/** The command that adds an asset of the stack's chain to a new database. */
export const addAgain = (adminFile: string, mint: string): string[] => [
  ...['asset', 'add', '--admin', adminFile, '--mint', mint, '--name', 'A'],
  ...['--symbol', mint === NATIVE_MINT ? 'SOL' : 'A', '--service-bps', '20'],
  ...['--network-fee-exists', '1000', '--network-fee-created', '2000'],
  ...['--input-max', '100000000000', '--swap-cap', '100000000000', '--swap-period', '3600'],
]
