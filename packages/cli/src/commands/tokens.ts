import { toDecimal } from '../amounts/decimal.ts'
import type { Token } from '@sotto/sdk/server'
import type { CliContext } from '../context.ts'
import { rowsTable } from '../output/table.ts'
import { listTokens } from './request.ts'

const HEAD = [
  'symbol',
  'name',
  'least',
  'most',
  'service fee',
  'network fee',
  'swaps',
  'anonymity set',
  'mint',
]

/** `tokens`: lists the assets that can be sent and swapped. */
export async function runTokens(context: CliContext): Promise<void> {
  const listed = await listTokens(context)
  context.output.result(listed, () =>
    rowsTable(
      HEAD,
      listed.tokens.map((token) => {
        const { decimals, networkFee } = token
        const created = toDecimal(networkFee.accountCreated, decimals)
        const exists = toDecimal(networkFee.accountExists, decimals)
        return [
          token.symbol,
          token.name,
          toDecimal(token.min, decimals),
          toDecimal(token.max, decimals),
          `${toDecimal(`${token.serviceFeeBps}`, 2)} %`,
          created === exists ? exists : `${exists}, new account ${created}`,
          token.swappable ? 'yes' : 'no',
          showSet(token),
          token.assetId,
        ]
      }),
      context.output.width,
    ),
  )
}

/** The largest anonymity set, and the delivered amount that has this set; 1 if no amount hides a transfer now. */
function showSet({ anonymitySet, commonAmount, decimals, symbol }: Token): string {
  const isHidden = anonymitySet > 1
  if (!isHidden || commonAmount === undefined || commonAmount === null) return `${anonymitySet}`
  return `${anonymitySet}, for ${toDecimal(commonAmount, decimals)} ${symbol}`
}
