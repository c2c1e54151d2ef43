import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { sqlOrderStore } from '../../src/adapters/store/order-store.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { fromText, type OrderingDoom } from './doom.ts'
import { nameOf, withPoints, type KillPoint } from './kill-point.ts'

/**
 * Orders a payment and stores its signature, as the process that answers requests does, until this process is killed.
 */
async function live({ point, keys, databaseUrl, payment, signed }: OrderingDoom): Promise<void> {
  const reached = (at: KillPoint) => {
    if (nameOf(at) === nameOf(point)) process.kill(process.pid, 'SIGKILL')
  }
  const store = sqlOrderStore(openPostgres(databaseUrl), openFileSecrets(keys, systemRandom))
  const orders = withPoints('orders', store, reached)
  await orders.tryCreatePayment(payment, 1_000)
  await orders.trySign(payment.id, signed, Date.now())
}

await live(fromText(process.argv[2]!))
