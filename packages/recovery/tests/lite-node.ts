import {
  createSolanaRpcFromTransport,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  getBase58Decoder,
  type Address,
  type RpcTransport,
  type Signature,
} from '@solana/kit'
import {
  settlementsOf,
  type DataSlice,
  type RanSettlement,
  type TransactionRecord,
} from '@sotto/protocol'
import { FailedTransactionMetadata } from 'litesvm'
import type { Chain } from '../../../program/tests/fixtures/chain.ts'
import type { RecoveryRpc } from '../index.ts'
import { base64Of } from './base64-of.ts'

interface Sent {
  readonly signature: Signature
  readonly keys: readonly Address[]
  readonly record: TransactionRecord
}

type Params = readonly [never, { readonly dataSlice?: DataSlice }?]

const CUSTOM = /custom program error: 0x([0-9a-f]+)/

/** A node's response to a transaction that fails in the simulation. */
class Refused extends Error {
  readonly code = -32_002
  readonly data: object

  constructor(logs: readonly string[]) {
    super('Transaction simulation failed')
    const custom = parseInt(CUSTOM.exec(logs.join('\n'))?.[1] ?? '0', 16)
    this.data = { err: { InstructionError: [0, { Custom: custom }] }, logs }
  }
}

/** A node for a chain in this process. It has the transactions that landed through it. */
export interface LiteNode {
  readonly rpc: RecoveryRpc
  readonly sent: readonly Sent[]
  readonly settled: () => RanSettlement[]
}

export function liteNode(chain: Chain): LiteNode {
  const sent: Sent[] = []
  const { svm } = chain
  const submit = (base64: string): Signature => {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(base64))
    const result = svm.sendTransaction(transaction)
    if (result instanceof FailedTransactionMetadata) throw new Refused(result.meta().logs())
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    if (message.version !== 0) throw new Error('a recovery sends only transactions of version 0')
    const keys = message.staticAccounts
    const instructions = message.instructions.map(
      ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
        programIdIndex: programAddressIndex,
        accounts: accountIndices,
        data: getBase58Decoder().decode(data),
      }),
    )
    const signature = getSignatureFromTransaction(transaction)
    const meta = { err: null, innerInstructions: [] }
    const shown = { message: { accountKeys: keys, instructions } }
    sent.push({ signature, keys, record: { meta, transaction: shown } })
    return signature
  }
  const account = (address: Address, dataSlice?: DataSlice) => {
    const found = svm.getAccount(address)
    if (!found.exists) return null
    const data = [base64Of(found.data, dataSlice), 'base64']
    const { programAddress: owner, executable } = found
    return { data, owner, executable, lamports: 1, space: found.data.length }
  }
  const answer = (method: string, [first, options]: Params): unknown => {
    switch (method) {
      case 'getAccountInfo':
        return { context: { slot: 1 }, value: account(first, options?.dataSlice) }
      case 'getMultipleAccounts':
        return { context: { slot: 1 }, value: (first as Address[]).map((one) => account(one)) }
      case 'getLatestBlockhash':
        svm.expireBlockhash()
        return {
          context: { slot: 1 },
          value: { blockhash: svm.latestBlockhash(), lastValidBlockHeight: 1_000 },
        }
      case 'sendTransaction':
        return submit(first)
      case 'getSignaturesForAddress':
        return sent
          .filter(({ keys }) => keys.includes(first))
          .map(({ signature }) => ({ signature, slot: 1, err: null }))
          .reverse()
      case 'getTransaction':
        return sent.find(({ signature }) => signature === first)?.record ?? null
      default:
        throw new Error(`this node knows no ${method}`)
    }
  }
  const transport: RpcTransport = async <Response>({ payload }: { payload: unknown }) => {
    const { id, method, params } = payload as { id: string; method: string; params: Params }
    const head = { jsonrpc: '2.0', id }
    try {
      return await Promise.resolve({ ...head, result: answer(method, params) } as Response)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { code, message, data } = error
      return { ...head, error: { code, message, data } } as Response
    }
  }
  const settled = () => sent.flatMap(({ record }) => settlementsOf(chain.program, record))
  return { rpc: createSolanaRpcFromTransport(transport), sent, settled }
}

/** A node that shows the same accounts as `rpc`, but no transactions. */
export const forgetful = (rpc: RecoveryRpc): RecoveryRpc =>
  new Proxy(rpc, {
    get: (whole, key) =>
      key === 'getSignaturesForAddress'
        ? () => ({ send: () => Promise.resolve([]) })
        : (Reflect.get(whole, key) as unknown),
  })
