import type { Address } from '@sotto/protocol'
import type { Command } from 'commander'
import { assertAccount } from './assert-account.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { parseAddressOption } from '../pool/pool-options.ts'

interface WalletOptions {
  readonly account: string
  readonly address: Address
}

/** `fee-recipient add | remove | list`: wallets that may receive a partner's share. */
export function registerFeeRecipientCommands(program: Command, withContext: WithContext): void {
  const recipient = program
    .command('fee-recipient')
    .description("Wallets that may receive a partner's share.")
  recipient
    .command('add')
    .description('Register a wallet to an account. The command can be repeated.')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--address <address>', 'the wallet, not a token account', parseAddressOption)
    .action((options: WalletOptions) => withContext((context) => addRecipient(context, options)))
  recipient
    .command('remove')
    .description(
      'Remove a wallet from an account. Existing orders still pay the wallet. The command can be repeated.',
    )
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--address <address>', 'the wallet', parseAddressOption)
    .action((options: WalletOptions) => withContext((context) => removeRecipient(context, options)))
  recipient
    .command('list')
    .description("List an account's registered wallets.")
    .requiredOption('--account <id>', 'the account')
    .action(({ account }: { account: string }) =>
      withContext((context) => listRecipients(context, account)),
    )
}

async function addRecipient(context: OperatorContext, { account, address }: WalletOptions) {
  const { database, clock, out } = context
  await assertAccount(database, account)
  await database.query(
    `INSERT INTO fee_recipients (account_id, address, created_at) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING`,
    [account, address, new Date(clock.nowMs())],
  )
  out({ account, address })
}

async function removeRecipient(context: OperatorContext, { account, address }: WalletOptions) {
  const { database, out } = context
  await assertAccount(database, account)
  await database.query('DELETE FROM fee_recipients WHERE account_id = $1 AND address = $2', [
    account,
    address,
  ])
  out({ account, address, registered: false })
}

async function listRecipients({ database, out }: OperatorContext, account: string) {
  await assertAccount(database, account)
  const rows = await database.query<{ address: string }>(
    'SELECT address FROM fee_recipients WHERE account_id = $1 ORDER BY address',
    [account],
  )
  out({ account, addresses: rows.map(({ address }) => address) })
}
