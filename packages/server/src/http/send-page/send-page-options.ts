import type { PageFiles } from '../pages/page-files.ts'
import type { AskNode } from './relay-node.ts'

/** What the send page is served with. */
export interface SendPageOptions {
  /** The key of the page's own account. It never leaves this process. */
  readonly apiKey: string
  readonly files: PageFiles
  readonly cluster: 'localnet' | 'devnet' | 'mainnet'
  /** The program that the page holds every order to. */
  readonly programId: string
  /** A node that browsers ask themselves; without one they ask this service's, through the relay. */
  readonly rpcUrl: string | undefined
  readonly askNode: AskNode
}
