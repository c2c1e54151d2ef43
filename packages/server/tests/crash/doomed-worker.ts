import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { wasmPoseidon } from '@sotto/poseidon'
import { amount } from '@sotto/protocol'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createSettlementChain } from '../../src/adapters/chain/settlement/create-settlement-chain.ts'
import { createRpcClient } from '../../src/adapters/rpc/rpc-client.ts'
import { readFileSigner } from '../../src/adapters/signer/file-signer.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import type { Prover } from '../../src/ports/prover.ts'
import { startSettlement } from '../../src/settlement/start-settlement.ts'
import { recipientsOf } from '../settlement/stack/recipients-of.ts'
import { toText, type Doom, type ProofAnswer, type ProofRequest } from './doom.ts'
import { nameOf, withPoints, type KillPoint } from './kill-point.ts'

/**
 * Requests proofs from the parent's prover. Starting a prover for each killed worker would take longer than the rest of
 * the test.
 */
function parentsProver(): Prover {
  const waiting = new Map<number, (proof: Uint8Array) => void>()
  let last = 0
  process.on('message', ({ id, proof }: ProofAnswer) => {
    waiting.get(id)?.(new Uint8Array(Buffer.from(proof, 'base64')))
  })
  return {
    prove: (witness) =>
      new Promise((resolve) => {
        last += 1
        waiting.set(last, resolve)
        process.send?.({ id: last, witness: toText(witness) } satisfies ProofRequest)
      }),
  }
}

async function live(doom: Doom): Promise<void> {
  const { program, tree } = doom
  const reached = (point: KillPoint) => {
    if (nameOf(point) === nameOf(doom.point)) process.kill(process.pid, 'SIGKILL')
  }
  const secrets = openFileSecrets(doom.keys, systemRandom)
  const rpc = createRpcClient(doom.rpcUrl)
  const chain = createSettlementChain({
    ...{ rpc, program, tree },
    recipients: recipientsOf(rpc, program),
  })
  const database = openPostgres(doom.databaseUrl)
  startSettlement({
    chain: withPoints('chain', chain, reached),
    store: withPoints('store', createSettlementStore(database, secrets), reached),
    prover: withPoints('prover', parentsProver(), reached),
    secrets: withPoints('secrets', secrets, reached),
    relayers: await Promise.all(doom.relayerFiles.map(readFileSigner)),
    clock: { ...systemClock, nowMs: () => systemClock.nowMs() + doom.aheadMs },
    random: systemRandom,
    poseidon: wasmPoseidon,
    log: {
      alert: () => undefined,
      failed: (step, error) => process.stderr.write(`${step}: ${String(error)}\n`),
      event: () => undefined,
    },
    pool: { program, domain: new Uint8Array(Buffer.from(doom.domain, 'hex')) },
    settings: {
      workerId: `doomed-${process.pid}`,
      ...{ pollMs: 50, sweepMs: 250, upkeepMs: 250 },
      leaseMs: doom.leaseMs,
      concurrency: 1,
      provers: 1,
      proofsAtOnce: 1,
      usualDelay: { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 },
      retentionMs: 86_400_000,
      prices: { floor: 0, ceiling: 0, percentile: 75, orderMax: amount(0n) },
      clockMarginSeconds: undefined,
    },
  })
}

await live(JSON.parse(process.argv[2]!) as Doom)
