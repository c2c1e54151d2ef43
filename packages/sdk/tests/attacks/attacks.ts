import type { Attack } from './attack.ts'
import { authorisationAttacks } from './authorisation-attacks.ts'
import { budgetAttacks } from './budget-attacks.ts'
import { partnerAttacks } from './partner-attacks.ts'
import { secretAttacks } from './secret-attacks.ts'
import { shapeAttacks } from './shape-attacks.ts'
import { spellingAttacks } from './spelling-attacks.ts'
import { termAttacks } from './term-attacks.ts'
import { ticketAttacks } from './ticket-attacks.ts'
import { wireAttacks } from './wire-attacks.ts'

/** All known attacks by a malicious service. */
export const ATTACKS = [
  ...termAttacks,
  ...partnerAttacks,
  ...secretAttacks,
  ...ticketAttacks,
  ...authorisationAttacks,
  ...shapeAttacks,
  ...budgetAttacks,
  ...wireAttacks,
  ...spellingAttacks,
]

/** The names of the honest orders, and for each order the kinds of attack that are possible on it. */
const KINDS: Record<string, readonly Attack['of'][]> = {
  'a send of SOL': ['any', 'partner', 'send'],
  'a send of SOL without a partner': ['any', 'send'],
  'a send of USDC': ['any', 'partner', 'send', 'token'],
  'a swap of SOL for USDC': ['any', 'partner', 'swap'],
}

/** Each honest order's name, with the attacks that the tests try on it. */
export const ATTACKED = Object.entries(KINDS).map(
  ([name, kinds]) => [name, ATTACKS.filter(({ of }) => kinds.includes(of))] as const,
)
