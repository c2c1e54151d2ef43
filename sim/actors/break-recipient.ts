import { tokenKey } from '../chain/ledger.ts'
import type { Customer } from './customer.ts'
import { DOLLAR_MINT } from './setting.ts'

const BREAKING_MS = 60_000

/** The recipient's token account is frozen or closed by its owner, and perhaps mended later. */
export function breakRecipient({ stage, random, request, recipient, name, isExpected }: Customer) {
  if (request.destinationAssetId !== DOLLAR_MINT || !isExpected) return
  if (!stage.faults.fires('recipient_breaks', name)) return
  const key = tokenKey(DOLLAR_MINT, recipient)
  const change = (state: 'frozen' | 'closed' | 'mended') =>
    stage.chain.intervene((ledger, position) => {
      const before = ledger.tokens.read(key, position) ?? { balance: 0n, isBlocked: false }
      // An account that holds money can't be closed.
      const isClosed = state === 'closed' && before.balance === 0n
      const after = { ...before, isBlocked: state === 'frozen' }
      ledger.tokens.write(key, position, isClosed ? null : after)
    })
  stage.timeline.after(random.below(BREAKING_MS), () => change(random.pick(['frozen', 'closed'])))
  if (random.chance(0.5)) {
    stage.timeline.after(random.between(BREAKING_MS, 20 * BREAKING_MS), () => change('mended'))
  }
}
