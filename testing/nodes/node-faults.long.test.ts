import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KNOWN_FAULTS, type KnownFault } from './known-faults.ts'
import { openGround, type Ground } from './open-ground.ts'
import { expectedOf, sendUnder, shownBy, type Outcome } from './send-under-fault.ts'

let ground: Ground
beforeAll(async () => {
  ground = await openGround()
})
afterAll(() => ground?.close())

const cell = (text: string | number, width: number) => String(text).padEnd(width)

function row({ name, seconds, shown }: KnownFault, outcome: Outcome, usual: number): string {
  const { tries, alerts } = outcome
  return [
    ...[cell(name, 34), cell(seconds === undefined ? 'stays' : `${seconds} s`, 6)],
    cell(outcome.misdeeds, 5),
    cell(`${Math.max(0, outcome.seconds - usual).toFixed(1)} s`, 8),
    cell(shown.tries === undefined ? '' : `${tries[shown.tries]} ${shown.tries}`, 12),
    alerts.join(' '),
  ].join(' ')
}

describe.each([1, 2] as const)('a service that uses %i of a cluster’s nodes', (nodes) => {
  let usual: number
  beforeAll(async () => {
    const client = await ground.serve(nodes)
    const takes = async () => (await sendUnder(ground, async () => client, { faults: [] })).seconds
    // The first transfers take longer, because they load code and data that later transfers use too.
    usual = Math.min(await takes(), await takes())
    console.log(`${nodes} node: two transfers without a fault take ${usual.toFixed(1)} s`)
  })

  it.each(KNOWN_FAULTS.filter((one) => one.nodes === nodes))(
    'delivers two transfers exactly once if the first node has this fault: $name',
    async (fault) => {
      // Each fault gets a new service. An old service may still be slow because a node limited its requests before.
      const outcome = await sendUnder(ground, () => ground.serve(nodes), fault)
      console.log(row(fault, outcome, usual))
      expect(shownBy(outcome)).toEqual(expectedOf(fault, outcome))
    },
  )
})
