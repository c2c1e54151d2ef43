import { z } from 'zod'
import { accountConfig, addressParam, paramList } from '../rpc/params.ts'
import { renderAccount } from '../rpc/render-account.ts'
import { whenReached } from './reached-changes.ts'
import { defineSubscription } from './subscription.ts'
import { notifiedAt } from './notified-at.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** Like a validator, the chain reports a removed account as an account without lamports. */
const REMOVED = {
  lamports: 0,
  data: ['', 'base64'],
  owner: SYSTEM_PROGRAM,
  executable: false,
  rentEpoch: 0,
  space: 0,
}

/** Notifies of an account's new content when changes of the account reach the commitment. */
export const accountKind = defineSubscription({
  name: 'account',
  params: paramList(addressParam, z.object(accountConfig).prefault({})),
  start: ([address, config], { chain, notify }) =>
    whenReached(chain, config.commitment, ({ slot, addresses }) => {
      if (![...addresses()].includes(address)) return
      const view = chain.view(slot)
      const account = view.read(address)
      notify(notifiedAt(slot, account === null ? REMOVED : renderAccount(account, config, view)))
    }),
})
