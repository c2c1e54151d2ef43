import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askNodes } from '../adapters/rpc/ask-node.ts'
import type { PaceOf } from '../adapters/rpc/paces.ts'
import type { Config } from '../config.ts'
import { readPageFiles, type PageFiles } from '../http/pages/page-files.ts'
import type { SendPageOptions } from '../http/send-page/send-page-options.ts'
import type { UseCases } from '../http/use-cases.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { OperatorError } from './operator-error.ts'

/** The folder of the built pages. The path is the same in the repository and in a release. */
const BUILT_PAGES = new URL('../../../web/dist/', import.meta.url)

const SCOPES = ['read', 'write']

function folderOf({ WEB_PAGES }: Config, page: 'send' | 'console'): string {
  return join(WEB_PAGES ?? fileURLToPath(BUILT_PAGES), page)
}

/** Reads the built files of a page. Returns undefined if the page was not built. */
export function builtPage(config: Config, page: 'send' | 'console'): PageFiles | undefined {
  const files = readPageFiles(folderOf(config, page))
  return files?.has('index.html') === true ? files : undefined
}

/**
 * Reads the settings of the send page. Returns undefined if no send page is configured.
 *
 * @throws OperatorError if the page's API key is invalid or lacks a scope, or if the page was not built.
 */
export async function composeSendPage(
  config: Config,
  useCases: Pick<UseCases, 'authenticate'>,
  paceOf: PaceOf,
): Promise<SendPageOptions | undefined> {
  const { WEB_API_KEY: apiKey, CLUSTER, PROGRAM_ID, RPC_URL, RPC_URLS, WEB_RPC_URL } = config
  if (apiKey === undefined) return undefined
  const files = builtPage(config, 'send')
  if (files === undefined) {
    const folder = folderOf(config, 'send')
    throw new OperatorError(
      `there is no send page in ${folder}; build it with: npm run build -w @sotto/web`,
    )
  }
  await assertKey(useCases, apiKey)
  return {
    ...{ apiKey, files, cluster: CLUSTER, programId: PROGRAM_ID, rpcUrl: WEB_RPC_URL },
    askNode: askNodes([RPC_URL, ...(RPC_URLS ?? [])], config.SEND_RPC_URLS, paceOf),
  }
}

async function assertKey(
  { authenticate }: Pick<UseCases, 'authenticate'>,
  apiKey: string,
): Promise<void> {
  const next = 'make one with: sotto-server key add --account <id>'
  try {
    const { scopes } = await authenticate(`Bearer ${apiKey}`)
    if (SCOPES.every((scope) => scopes.includes(scope))) return
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'UNAUTHORIZED')) throw error
    throw new OperatorError(`SOTTO_WEB_API_KEY is not a valid key of this service; ${next}`)
  }
  throw new OperatorError(`SOTTO_WEB_API_KEY needs the scopes read and write; ${next}`)
}
