import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { SottoTransportError } from '@sotto/sdk/server'
import type { TransferState } from '@sotto/sdk/wallet'
import { expect } from 'vitest'
import type { CliContext } from '../src/context.ts'
import { explainFailure } from '../src/explain-failure.ts'
import { openOutput } from '../src/output/output.ts'
import { createState } from '../src/transfers/state-file.ts'

export const PROGRAM = 'Sotto11111111111111111111111111111111111111' as Address
export const SENDER = 'SysvarC1ock11111111111111111111111111111111' as Address
const RECIPIENT = 'SysvarRent111111111111111111111111111111111' as Address
export const isoOf = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString()

export const REQUEST = {
  ...{ amount: '1500000000', mode: 'exact_out' },
  ...{ sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT },
  ...{ senderAddress: SENDER, recipientAddress: RECIPIENT },
} as const
export const QUOTED = {
  quote: {
    ...{ quoteId: 'q', amountIn: '1', amountOut: REQUEST.amount, mode: 'exact_out' },
    ...{ sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT },
  },
}

/** SOL, as the service lists it. */
export const TOKEN = {
  ...{ assetId: NATIVE_MINT, symbol: 'SOL', decimals: 9, min: '1', serviceFeeBps: 0 },
  networkFee: { accountExists: '1', accountCreated: '1' },
}

/**
 * The methods of the service and of the node that a test's command may call, and the failure of the command's output.
 */
export interface Scene {
  readonly client?: object
  readonly rpc?: object
  readonly unwritten?: Error
  readonly signal?: AbortSignal
}

export function contextIn(home: string, { client, rpc = {}, unwritten, signal }: Scene) {
  const results: object[] = []
  const stream = { write: () => true, isTTY: false }
  const context = {
    settings: { home, rpcUrl: 'http://127.0.0.1:9', programId: PROGRAM },
    output: {
      ...openOutput({ json: true }, { stdout: stream, stderr: stream, stdin: {} }),
      result: (value: object) => void results.push(value),
      written: async () => unwritten,
    },
    signal: signal ?? new AbortController().signal,
    signer: async () => ({ address: SENDER }),
    client: async () => ({ tokens: async () => ({ tokens: [TOKEN] }), ...client }),
    rpc: async () => rpc,
  } as unknown as CliContext
  return { context, results }
}

export async function keepIn(home: string, state: TransferState): Promise<void> {
  const file = await createState(home, state)
  file.release()
}

export const OPTIONS = { wait: true, interval: 1, yes: true } as const
export const NAMED = { amount: '1.5', from: 'SOL', to: 'SOL', recipient: RECIPIENT } as const
export const unreachable = async () => {
  throw new SottoTransportError('the service does not answer')
}

/** What the user reads when the command fails. */
export const failureOf = async (run: Promise<unknown>) =>
  run.then(
    () => expect.fail('the command did not fail'),
    (error: unknown) => explainFailure(error, false),
  )
