import { useExplorerLink } from '../model/explorer.ts'
import type { PageConfig } from '../model/service.ts'

interface Props {
  readonly config: PageConfig
  readonly signature: string | undefined
}

/**
 * A link to the payment on a public explorer. A person who opens the link reveals to the explorer that they may have
 * made the payment. The delivery deliberately has no such link: from visits to both links, the explorer could connect
 * the two sides of the transfer.
 */
export function ExplorerNote({ config, signature }: Props) {
  const link = useExplorerLink(config, signature)
  if (link === undefined) return null
  return (
    <p class="hint">
      <a href={link} target="_blank" rel="noopener noreferrer">
        See your payment on explorer.solana.com
      </a>{' '}
      (opens in a new tab; that site then sees your internet address)
    </p>
  )
}
