import { accountKind } from './account-kind.ts'
import { logsKind } from './logs-kind.ts'
import { programKind } from './program-kind.ts'
import { rootKind } from './root-kind.ts'
import { signatureKind } from './signature-kind.ts'
import { slotKind } from './slot-kind.ts'
import type { SubscriptionKind } from './subscription.ts'

/** Every kind of subscription that the chain offers. */
export const subscriptionKinds: readonly SubscriptionKind[] = [
  accountKind,
  logsKind,
  programKind,
  rootKind,
  signatureKind,
  slotKind,
]
