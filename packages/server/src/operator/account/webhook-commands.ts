import type { Command } from 'commander'
import { sqlWebhookStore } from '../../adapters/store/webhook-store.ts'
import type { WebhookSender } from '../../ports/webhook-sender.ts'
import {
  addWebhook,
  enableWebhook,
  listWebhooks,
  removeWebhook,
  rotateWebhook,
  type WebhookDependencies,
} from '../../usecases/webhook/manage-webhooks.ts'
import { DirectSends } from '../../usecases/webhook/direct-sends.ts'
import { ServiceError } from '../../usecases/service-error.ts'
import type { AccountParts } from './account-parts.ts'
import { assertAccount } from './assert-account.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'

type Parts = Pick<AccountParts, 'random' | 'secrets'> & { readonly sender: () => WebhookSender }

interface Named {
  readonly account: string
  readonly webhook: string
}

/** `webhook add | list | rotate | enable | remove`. Partners can do the same over HTTP. */
export function registerWebhookCommands(
  program: Command,
  withContext: WithContext,
  parts: Parts,
): void {
  const command = program.command('webhook').description("Partners' endpoints for messages.")
  const run = (account: string, work: (d: WebhookDependencies) => Promise<object>) =>
    withContext((context) => runFor(context, parts, account, work))
  command
    .command('add')
    .description('Register an endpoint and print its secret. The secret cannot be printed again.')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--url <url>', 'https, on the public internet')
    .action(({ account, url }: { account: string; url: string }) =>
      run(account, (d) =>
        addWebhook({ ...d, directSends: new DirectSends(d.clock) }, account, url),
      ),
    )
  command
    .command('list')
    .description("List an account's endpoints.")
    .requiredOption('--account <id>', 'the account')
    .action(({ account }: { account: string }) => run(account, (d) => listWebhooks(d, account)))
  for (const [name, description, work] of [
    [
      'rotate',
      'Make a new secret and print it. For a day, messages are also signed with the earlier secrets.',
      rotateWebhook,
    ],
    ['enable', 'Resume sending to an endpoint that answered 410.', enableWebhook],
    ['remove', 'Remove an endpoint.', removeWebhook],
  ] as const) {
    command
      .command(name)
      .description(description)
      .requiredOption('--account <id>', 'the account')
      .requiredOption('--webhook <id>', "the endpoint's id")
      .action(({ account, webhook }: Named) => run(account, (d) => work(d, account, webhook)))
  }
}

async function runFor(
  { database, clock, out }: OperatorContext,
  { random, secrets, sender }: Parts,
  account: string,
  work: (d: WebhookDependencies) => Promise<object>,
): Promise<void> {
  await assertAccount(database, account)
  const webhooks = sqlWebhookStore(database)
  try {
    const d = { webhooks, clock, random, secrets: secrets(), sender: sender() }
    const { success: _, ...result } = (await work(d)) as { success: true }
    out({ account, ...result })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new OperatorError(explain(error), { cause: error })
  }
}

function explain({ code, context }: ServiceError): string {
  if (code === 'NOT_FOUND') return 'the account has no such endpoint'
  if (code === 'WEBHOOK_LIMIT_REACHED') return 'the account has the maximum number of endpoints'
  return `no message can be sent to this endpoint: ${context.issues?.[0]?.message ?? code}`
}
