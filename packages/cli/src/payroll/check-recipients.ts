import { NATIVE_MINT, TOKEN_2022_PROGRAM, type Address } from '@sotto/protocol'
import type { CliRpc } from '../amounts/mint-decimals.ts'
import type { LineProblem, ListLine } from './read-list.ts'

/** Maximum number of accounts in one response of a node. */
const AT_ONCE = 100
const SYSTEM_PROGRAM = '11111111111111111111111111111111'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/**
 * Finds recipients that aren't wallets, with the user's own node. The service would also refuse these recipients, but
 * asking the service would reveal the whole list at once.
 */
export async function checkRecipients(
  rpc: CliRpc,
  lines: readonly ListLine[],
  assetId: string,
): Promise<LineProblem[]> {
  const wallets = [...new Set(lines.map(({ recipient }) => recipient))]
  const problems = new Map<string, string>()
  for (let from = 0; from < wallets.length; from += AT_ONCE) {
    const asked = wallets.slice(from, from + AT_ONCE)
    const slice = { offset: 0, length: 0 }
    const options = { encoding: 'base64', commitment: 'confirmed', dataSlice: slice } as const
    const { value } = await rpc.getMultipleAccounts(asked as Address[], options).send()
    for (const [index, account] of value.entries()) {
      const problem = account === null ? undefined : problemOf(account, assetId === NATIVE_MINT)
      if (problem !== undefined) problems.set(asked[index] ?? '', problem)
    }
  }
  return lines.flatMap(({ line, recipient }) => {
    const problem = problems.get(recipient)
    return problem === undefined ? [] : [{ line, problem }]
  })
}

/**
 * The problem with a recipient; undefined if there is none. The service has the same rules: SOL is paid only to
 * accounts of the System program, and tokens also to wallets that belong to a program.
 */
function problemOf(
  { owner, executable }: { readonly owner: string; readonly executable: boolean },
  isNative: boolean,
): string | undefined {
  if (owner === SYSTEM_PROGRAM) return undefined
  if (executable) return 'the recipient is a program, not a wallet'
  if ([TOKEN_PROGRAM, TOKEN_2022_PROGRAM as string].includes(owner)) {
    return 'the recipient is a token account or a mint, not a wallet'
  }
  return isNative
    ? 'the recipient belongs to a program, and SOL is only paid to ordinary wallets'
    : undefined
}
