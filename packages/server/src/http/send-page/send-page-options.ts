import type { PageFiles } from '../pages/page-files.ts'
import type { AskNode } from './relay-node.ts'

/** The settings of the send page. */
export interface SendPageOptions {
  /** The API key of the page's own account. It never leaves this process. */
  readonly apiKey: string
  readonly files: PageFiles
  readonly cluster: 'localnet' | 'devnet' | 'mainnet'
  /** The program id that the page requires of every order. */
  readonly programId: string
  /**
   * The URL of a node that browsers query directly. If undefined, browsers query this service's nodes through the
   * relay.
   */
  readonly rpcUrl: string | undefined
  readonly askNode: AskNode
}
