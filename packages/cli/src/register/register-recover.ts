import type { Command } from 'commander'
import { withExamples } from './examples.ts'
import type { Run } from './run.ts'
import type { SettleOptions } from '../commands/recover.ts'

const TICKET =
  'a file with the ticket, a tracking id that "send" used here, or - for standard input'

/** `recover show | deliver | refund`: with a ticket and a node, without the service. */
export function registerRecover(program: Command, run: Run): void {
  const recover = withExamples(
    program.command('recover'),
    'recover show <tracking-id>',
    'recover deliver ticket.txt',
    'recover refund ticket.txt --rpc https://a-node-with-full-history',
  ).description('Finish a transfer from its ticket, without the service.')
  withExamples(recover.command('show'), 'recover show <tracking-id>', 'recover show ticket.txt')
    .argument('<ticket>', TICKET)
    .description('Show the note of a ticket, and how it can be settled now.')
    .action((ticket: string) =>
      run(async (context) => (await import('../commands/recover.ts')).runShow(context, ticket)),
    )
  const kinds = {
    deliver: 'Pay the recipient; possible until the delivery window ends.',
    refund: 'Pay the sender back; possible once the delivery window has ended.',
  } as const
  for (const [kind, does] of Object.entries(kinds)) {
    withExamples(
      recover.command(kind),
      `recover ${kind} <tracking-id>`,
      `recover ${kind} ticket.txt --path status.json`,
    )
      .argument('<ticket>', TICKET)
      .description(`${does} The keypair pays the fee; any will do.`)
      .option('--path <file>', 'a status record with recoveryProof; reads no history')
      .option('--leaves <file>', "the pool's first leaves; reads only later history")
      .action((ticket: string, options: SettleOptions) =>
        run(async (context) => {
          const { runSettle } = await import('../commands/recover.ts')
          await runSettle(context, kind as keyof typeof kinds, ticket, options)
        }),
      )
  }
}
