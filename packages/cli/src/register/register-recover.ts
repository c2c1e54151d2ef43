import type { Command } from 'commander'
import { collectAgain } from '../balances/again.ts'
import { parseBaseUnits, parseLamports } from '../commands/command-options.ts'
import { withExamples } from './examples.ts'
import type { Run } from './run.ts'
import type { SettleOptions } from '../commands/recover.ts'
import type { PayOptions } from '../commands/recover-pay.ts'

const TICKET = 'the ticket’s file, a tracking id of "send", a balance, or - for standard input'

const PATH = [
  '--path <file>',
  'a file with a status record that has recoveryProof, so that no history is read',
] as const
const LEAVES = [
  '--leaves <place>',
  'leaves of the tree that the operator published: a URL, a folder or a file; repeatable',
  (place: string, before: readonly string[] = []) => [...before, place],
] as const

const MAX_FEE = [
  '--max-priority-fee <lamports>',
  'the maximum priority fee; the fee rises after each settlement that does not land; 262144 by default',
  parseLamports,
] as const
const MIN_FEE = [
  '--min-priority-fee <lamports>',
  'the minimum priority fee; 256 by default',
  parseLamports,
] as const

const ACCEPT = [
  '--accept-program <sha256>',
  'accept the program with this hash, which belongs to another release',
] as const

/** `recover show | deliver | refund | pay`: with a ticket and a node, without the service. */
export function registerRecover(program: Command, run: Run): void {
  const recover = withExamples(
    program.command('recover'),
    'recover show <tracking-id>',
    'recover deliver ticket.txt',
    'recover refund ticket.txt --rpc https://a-node-with-full-history',
  ).description(
    'Finish a transfer from its ticket, without the service. The ticket names the program that gets the keypair’s signature, so the command signs only for a program that it knows.',
  )
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
      .description(`${does} The keypair pays the fee. Any keypair can do this.`)
      .option(...PATH)
      .option(...LEAVES)
      .option(...MIN_FEE)
      .option(...MAX_FEE)
      .option(...ACCEPT)
      .action((ticket: string, options: SettleOptions) =>
        run(async (context) => {
          const { runSettle } = await import('../commands/recover.ts')
          await runSettle(context, kind as keyof typeof kinds, ticket, options)
        }),
      )
  }
  withExamples(
    recover.command('pay'),
    'recover pay balance.ticket --to <address> --amount 1.5',
    'recover pay balance.ticket --to <address> --base-units 1500000',
  )
    .argument('<ticket>', 'the ticket’s file, the name of a balance, or - for standard input')
    .description(
      'Make a payment out of a balance, and save the ticket of the rest. Everyone can see on the chain that no service fee was paid.',
    )
    .requiredOption('--to <address>', 'the wallet that is paid')
    .option('--amount <amount>', 'in whole coins; for a token, you must confirm the base units')
    .option('--base-units <amount>', 'the amount in base units; for scripts', parseBaseUnits)
    .option(
      '--again [transaction]',
      'pay although this transaction has paid the same amount to this wallet; repeatable',
      collectAgain,
    )
    .option(...PATH)
    .option(...LEAVES)
    .option(...MIN_FEE)
    .option(...MAX_FEE)
    .option(...ACCEPT)
    .action((ticket: string, options: PayOptions) =>
      run(async (context) => {
        const { runPay } = await import('../commands/recover-pay.ts')
        await runPay(context, ticket, options)
      }),
    )
}
