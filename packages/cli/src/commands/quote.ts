import type { CliContext } from '../context.ts'
import { showQuote } from '../output/show-quote.ts'
import { readRequest, type TransferArguments, type TransferTerms } from './request.ts'

/** `quote`: shows amounts, fees, privacy and limits. Changes nothing. */
export async function runQuote(
  context: CliContext,
  named: TransferArguments,
  terms: TransferTerms & { readonly sender?: string },
): Promise<void> {
  const sender = terms.sender ?? (await context.signer()).address
  const { request, source, destination } = await readRequest(context, named, terms, sender)
  const client = await context.client()
  const quoted = await client.quote(request, { signal: context.signal })
  const { output } = context
  const shown = output.isJson ? '' : await showQuote(quoted, source, destination, request)
  output.result(quoted, () => shown)
}
