import type { TransactionSigner } from '@solana/kit'
import { encodeTicket, NATIVE_MINT, PROGRAM_SHA256 } from '@sotto/protocol'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { draftOrder } from '../../../program/tests/fixtures/deposits.ts'
import { limitsOf, runSettle } from '../src/commands/recover.ts'
import { runPay } from '../src/commands/recover-pay.ts'
import { EXIT } from '../src/exit-codes.ts'
import { explainFailure } from '../src/explain-failure.ts'
import { PayingMachine } from './paying-machine.ts'

const OTHER_PROGRAM = new URL(
  '../../../program/tests/fixtures/caller/sotto-caller.so',
  import.meta.url,
)

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

it.each(['deliver', 'refund', 'pay'] as const)(
  'sotto recover %s does not sign for a stranger’s program that the ticket names',
  async (kind) => {
    const { fixture, node } = machine
    const { chain } = fixture
    const wish = { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n, fee: 5_000_000n }
    const { terms, note } = await draftOrder(fixture, wish)
    const program = (await chain.key()).address
    chain.svm.addProgram(program, new Uint8Array(readFileSync(OTHER_PROGRAM)))
    const file = join(machine.home, 'stranger.ticket')
    await writeFile(file, encodeTicket({ program, orderId: terms.orderId, note }))
    const { address } = await chain.wallet()
    const signer: TransactionSigner = {
      address,
      signTransactions: () => expect.fail('it must not sign'),
    }
    const { context } = machine.contextOf()
    const given = { ...context, signer: async () => signer } as unknown as typeof context
    const sent = node.sent.length
    const run =
      kind === 'pay'
        ? runPay(given, file, { to: address, amount: '0.1' })
        : runSettle(given, kind, file, {})
    const error = await run.catch((thrown: unknown) => thrown)
    expect(explainFailure(error, false)).toMatchObject({
      ...{ code: 'PROGRAM_UNKNOWN', exitCode: EXIT.unsafe },
      next: expect.stringContaining('--accept-program') as string,
    })
    expect(node.sent.length).toBe(sent)
  },
)

it('accepts the program of this release and the program that --accept-program names', () => {
  expect(limitsOf({}).acceptedPrograms).toEqual([PROGRAM_SHA256])
  expect(limitsOf({ acceptProgram: 'ab' }).acceptedPrograms).toEqual([PROGRAM_SHA256, 'ab'])
})
