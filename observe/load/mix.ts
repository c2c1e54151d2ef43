import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { WAIT_SPREAD_SECONDS } from '@sotto/protocol'

const Share = z.number().min(0).max(100)
const Delay = z.number().int().min(0).max(3_600)
const Count = z.number().int().min(0)

/** Weights of alternatives. Their sum may differ from 100. */
const Weights = <Name extends string>(...names: readonly Name[]) =>
  z.strictObject(
    Object.fromEntries(names.map((name) => [name, Share])) as Record<Name, z.ZodNumber>,
  )

/** The behaviour of the service's users. It is read from a file. */
export const Mix = z.strictObject({
  perHour: z.number().positive().max(3_600).describe('Payments per hour; their times are random.'),
  amounts: Weights('round', 'odd', 'swap').describe('Kind of amount. A swap is always a transfer.'),
  ways: Weights('transfer', 'patient', 'balance', 'fresh')
    .extend({ waiting: Share.default(0), crowd: Share.default(0) })
    .describe(
      'How a payment is made, except for swaps. transfer: a transfer with the default delay. patient: a transfer ' +
        'with a delay between the limits of patience. balance: out of a balance. fresh: out of a balance ' +
        'that was topped up immediately before, only for this payment. waiting: like fresh, but after the ' +
        'wait that the commands and the page offer. crowd: a transfer that waits for a crowd.',
    ),
  patience: z
    .tuple([Delay, Delay])
    .refine(([shortest, longest]) => shortest <= longest, 'the shortest delay comes first')
    .describe('Shortest and longest delay that a patient transfer asks for, in seconds.'),
  waitSpread: Count.min(1).describe(
    'An owner who waits after a top-up pays at a random time in a period of this many seconds. The period begins ' +
      '60 to 70 minutes after the top-up.',
  ),
  topUps: z
    .enum(['free', 'fitted'])
    .describe(
      'The amount of a top-up that is made for one payment. free: a usual amount, whatever is paid. fitted: the ' +
        'smallest amount that quotes suggest and that covers the payment and its fees.',
    ),
  assets: Weights('SOL', 'USDC'),
  exactOut: Share.describe(
    'Of the transfers of a round amount, the percentage in which the delivered amount is round. In the others, the paid amount is round.',
  ),
  partners: Share.describe('Percentage of transfers from which a partner takes a share of 0.37 %.'),
  returning: Share.describe('Percentage of payments whose sender has already made a payment.'),
  knownPayees: Share.describe('Percentage of payments to a payee whom the sender has paid before.'),
  sharedPayees: Share.default(0).describe(
    'Percentage of payments to a shared payee, among the payments to a payee whom the sender has not paid before.',
  ),
  tariffs: z.strictObject({
    hours: z
      .number()
      .min(0)
      .describe('Mean number of hours between two changes of a tariff, at least 1; 0 for none.'),
  }),
  accounts: z
    .strictObject({
      old: Share.describe('Percentage of payees whose token account is older than the pool.'),
      before: Share.describe(
        'Percentage of payees whose token account a stranger opens in the half hour before the first quote.',
      ),
      during: Share.describe(
        'Percentage of payees whose token account a stranger opens in the half hour after the first quote.',
      ),
    })
    .refine(({ old, before, during }) => old + before + during <= 100, 'the sum is at most 100')
    .describe(
      'The token accounts of payees. All other accounts are opened by their first settlement.',
    ),
  crowds: z.strictObject({
    min: z
      .tuple([z.number().int().min(2).max(32), z.number().int().min(2).max(32)])
      .describe('Smallest and largest crowd for transfers that wait for a crowd.'),
    deliver: Share.describe(
      'Percentage of these transfers that are delivered if their crowd does not come.',
    ),
  }),
  payrolls: z.strictObject({
    owners: Count.describe('Number of owners who repeatedly pay a list of payees out of balances.'),
    payees: Count.min(1).describe(
      'Number of payees of a list. Each payee gets the same amount every time.',
    ),
    days: z.number().positive().describe('Number of days between two payments of the same list.'),
    balances: Count.min(1).describe(
      'Number of balances that are topped up for a list. Each balance pays an equal part of the list.',
    ),
  }),
  balances: z.strictObject({
    atFirst: Count.describe('Number of balances that are topped up in the first hour.'),
    days: z
      .tuple([z.number().min(1), z.number().max(30)])
      .describe(
        'Shortest and longest life in days, from the top-up or from the day of the last payment.',
      ),
    payments: z.number().positive().describe('Number of payments that a balance makes on average.'),
    closed: Share.default(0).describe(
      'Percentage of balances whose owner takes the rest back, except for a residue. This happens within two days ' +
        'after the last payment.',
    ),
  }),
})

export type Mix = z.infer<typeof Mix>

/**
 * Half of the payments have round amounts, a third have odd amounts, and the rest are swaps. Most payments are
 * transfers. Balances have the product's default life. Owners close three of ten balances themselves. Tariffs don't
 * change, and the first settlement in a token opens its payee's account.
 */
export const DEFAULT_MIX: Mix = {
  perHour: 10,
  amounts: { round: 50, odd: 35, swap: 15 },
  ways: { transfer: 50, patient: 10, balance: 30, fresh: 10, waiting: 0, crowd: 0 },
  patience: [0, 3_600],
  waitSpread: WAIT_SPREAD_SECONDS,
  topUps: 'free',
  assets: { SOL: 60, USDC: 40 },
  exactOut: 70,
  partners: 20,
  returning: 30,
  knownPayees: 20,
  sharedPayees: 0,
  tariffs: { hours: 0 },
  accounts: { old: 0, before: 0, during: 0 },
  crowds: { min: [2, 3], deliver: 50 },
  payrolls: { owners: 0, payees: 10, days: 1, balances: 1 },
  balances: { atFirst: 6, days: [30, 30], payments: 6, closed: 30 },
}

/**
 * Reads a mix. For top-level members that the file omits, uses the values of the default mix.
 *
 * @throws Error with the file's name and the problem.
 */
export async function readMix(file: string): Promise<Mix> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`the mix ${file} can't be read: ${cause.message}`)
  })
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw new Error(`the mix ${file} is not JSON`)
  }
  if (given === null || typeof given !== 'object')
    throw new Error(`the mix ${file} is not an object`)
  const mix = Mix.safeParse({ ...DEFAULT_MIX, ...given })
  if (mix.success) return mix.data
  throw new Error(`the mix ${file} is wrong: ${z.prettifyError(mix.error)}`)
}
