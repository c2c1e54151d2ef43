import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProcess } from './chain-process.ts'
import { call } from './client.ts'
import { runSize } from './run-size.ts'
import { stateDigest } from './state-digest.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { openTraffic } from './traffic.ts'
import { HUNG_MS } from '../../../testing/patience/hung.ts'

const TRANSACTIONS = runSize('SOTTO_LOCALNET_TRANSACTIONS', 2_000)
const BATCH = 100
/** Time limit for sending all transactions, reading them twice, and a restart. It is far above any measured time. */
const PATIENCE_MS = 2 * HUNG_MS + TRANSACTIONS * 20

test(
  `${TRANSACTIONS} transactions survive kill -9 without any loss`,
  { timeout: PATIENCE_MS },
  async () => {
    const dataFolder = temporaryFolder()
    const args = ['--data', dataFolder]
    const figures: Record<string, string> = { transactions: String(TRANSACTIONS) }
    const first = await startProcess(args)
    figures['memory of an empty chain'] = memoryOf(first.pid)
    const traffic = await openTraffic(first.endpoints)
    const started = performance.now()
    for (let sent = 0; sent < TRANSACTIONS; sent += BATCH) await traffic.send(BATCH)
    figures['sending'] = secondsSince(started)
    // The digest reads at `finalized`, so the chain first finalizes everything.
    await call(first.endpoints, 'localnet_advanceTime', [3])
    const addresses = [traffic.payer, traffic.token]
    const before = await stateDigest(first.endpoints, addresses)
    // The count includes the transactions that prepared the traffic, so it may be greater than `TRANSACTIONS`.
    expect(before.count).toBeGreaterThanOrEqual(TRANSACTIONS)
    figures['memory before the restart'] = memoryOf(first.pid)
    await first.end('SIGKILL')
    figures['log'] = megabytes(statSync(join(dataFolder, 'chain.log')).size)
    const restarted = performance.now()
    const second = await startProcess(args)
    figures['time until the restarted process serves'] = secondsSince(restarted)
    figures['memory after the restart'] = memoryOf(second.pid)
    expect(await stateDigest(second.endpoints, addresses)).toEqual(before)
    await second.end('SIGTERM')
    process.stdout.write(`${JSON.stringify(figures)}\n`)
  },
)

function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1_000).toFixed(1)} s`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** Resident memory of a process; available only on Linux. */
function memoryOf(pid: number | undefined): string {
  try {
    const [, kib] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return megabytes(Number(kib) * 1_024)
  } catch {
    return 'not known'
  }
}
