import type { OrderResponse, StatusResponse } from '@sotto/contract'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Shot } from '../load/target.ts'
import type { Sample } from './bare/sample.ts'
import { launch, type Launched } from './launch.ts'
import type { Stage } from './stage.ts'
import { statusShot, type Traffic } from './traffic.ts'

/** Number of existing orders that status requests and replays use. */
const ORDERS = 100

export interface Placed {
  readonly shot: Shot
  readonly answer: OrderResponse
}

/** Creates orders with the product. The baseline uses the same rows, requests and answers. */
export async function placeOrders(traffic: Traffic): Promise<Placed[]> {
  const shots = await traffic.newOrders(ORDERS)
  const placed: Placed[] = []
  for (const shot of shots) placed.push({ shot, answer: await traffic.order(shot) })
  return placed
}

/** Starts the baseline, which repeats the product's answers. */
export async function startBare(
  stage: Stage,
  folder: string,
  traffic: Traffic,
  placed: readonly Placed[],
): Promise<Launched<{ baseUrl: string }>> {
  const [first] = placed
  if (first === undefined) throw new Error('no order was placed')
  const { path } = statusShot(first.answer.order.trackingId)
  const response = await fetch(stage.baseUrl + path, { headers: traffic.headers })
  const sample: Sample = {
    database: stage.bareDatabase,
    usdc: stage.setup.usdc,
    quote: await traffic.quote(traffic.warmQuote()),
    status: (await response.json()) as StatusResponse,
    orders: placed.map(({ shot, answer }) => ({ body: shot.body ?? '', answer })),
  }
  const file = join(folder, 'sample.json')
  await writeFile(file, JSON.stringify(sample), { mode: 0o600 })
  const logFile = join(folder, 'bare.log')
  return launch({ main: 'bench/http/bare/main.ts', args: [file], env: {}, logFile })
}
