import { z } from 'zod'
import { withContext } from '../rpc/context.ts'
import { accountConfig, addressParam, paramList } from '../rpc/params.ts'
import { renderAccount } from '../rpc/render-account.ts'
import { isSameAccount } from '../chain/account.ts'
import { whenReached } from './reached-slots.ts'
import { defineSubscription } from './subscription.ts'

const SYSTEM_PROGRAM = '11111111111111111111111111111111'

/** A removed account is told of as one without lamports, as on a validator. */
const REMOVED = {
  lamports: 0,
  data: ['', 'base64'],
  owner: SYSTEM_PROGRAM,
  executable: false,
  rentEpoch: 0,
  space: 0,
}

/** Tells of every change of an account once it has reached the commitment. */
export const accountKind = defineSubscription({
  name: 'account',
  params: paramList(addressParam, z.object(accountConfig).prefault({})),
  start: ([address, config], { chain, notify }) => {
    let last = chain.view(chain.tip.slotAt(config.commitment)).read(address)
    return whenReached(chain, config.commitment, (from, to) => {
      if (!chain.changedBetween(from, to).has(address)) return
      const view = chain.view(to)
      const account = view.read(address)
      if (isSameAccount(account, last)) return
      last = account
      notify(withContext(to, account === null ? REMOVED : renderAccount(account, config, view)))
    })
  },
})
