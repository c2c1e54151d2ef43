import { Option, type Command } from 'commander'
import { withExamples } from './examples.ts'
import type { Run } from './run.ts'
import type { McpOptions } from '../commands/mcp.ts'

/** `mcp` and `mcp approve`: payments by an agent, within limits. */
export function registerMcp(program: Command, run: Run): void {
  const mcp = withExamples(
    program.command('mcp'),
    'mcp serve agent --max-payment 0.1 --max-day 0.5 --confirm-above 0.05',
    'mcp serve agent --limits limits.json',
    'mcp approve 0123456789abcdef',
  ).description('Let an agent pay out of a balance, within limits, over MCP.')
  withExamples(
    mcp.command('serve <balance>', { isDefault: true }),
    'mcp serve agent --max-payment 0.1 --max-day 0.5',
    'mcp serve agent --limits limits.json',
  )
    .description('Offer the tools quote, send, status and balance to an agent on stdin and stdout.')
    .option('--max-payment <amount>', 'the most that one payment may take, fees included')
    .option('--max-day <amount>', 'the most that payments may take in any 24 hours')
    .option(
      '--confirm-above <amount>',
      'a person confirms payments that take more (default: all payments)',
    )
    .addOption(
      new Option(
        '--confirm <way>',
        'where a person confirms: in the host of the agent (client, the default) or only in a terminal',
      ).choices(['client', 'terminal']),
    )
    .option(
      '--allow <recipient>',
      'pay only this wallet; repeatable (default: any wallet)',
      (address: string, before: readonly string[] = []) => [...before, address],
    )
    .option('--limits <file>', 'a file of mode 0600 with these limits as JSON')
    .action((name: string, options: McpOptions) =>
      run(async (context) => (await import('../commands/mcp.ts')).runMcp(context, name, options)),
    )
  withExamples(mcp.command('approve <id>'), 'mcp approve 0123456789abcdef')
    .description('Confirm or decline a payment that an agent asks for.')
    .action((id: string) =>
      run(async (context) => (await import('../commands/mcp.ts')).runMcpApprove(context, id)),
    )
}
