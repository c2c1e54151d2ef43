import type { Command } from 'commander'
import type { Run } from './run.ts'
import type { SettleOptions } from '../commands/recover.ts'

const TICKET =
  'a file with the ticket, a tracking id that "send" used here, or - for standard input'

/** `recover show | deliver | refund`: with a ticket and a node, and without the service. */
export function registerRecover(program: Command, run: Run): void {
  const recover = program
    .command('recover')
    .description('Finish a transfer from its ticket, without the service.')
  recover
    .command('show')
    .argument('<ticket>', TICKET)
    .description('What a ticket is worth, and what can be done with it now.')
    .action((ticket: string) =>
      run(async (context) => (await import('../commands/recover.ts')).runShow(context, ticket)),
    )
  const kinds = {
    deliver: 'Pay the recipient, until the delivery window ends.',
    refund: 'Pay the sender back, once the window has passed undelivered.',
  } as const
  for (const [kind, does] of Object.entries(kinds)) {
    recover
      .command(kind)
      .argument('<ticket>', TICKET)
      .description(`${does} The keypair pays the fee; any will do.`)
      .option('--path <file>', 'a status record with recoveryProof, so that no history is read')
      .option('--leaves <file>', "the pool's leaves up to some deposit; only later history is read")
      .action((ticket: string, options: SettleOptions) =>
        run(async (context) => {
          const { runSettle } = await import('../commands/recover.ts')
          await runSettle(context, kind as keyof typeof kinds, ticket, options)
        }),
      )
  }
}
