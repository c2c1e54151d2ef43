import { afterAll, beforeAll, describe } from 'vitest'
import { describeStorage } from './describe-storage.ts'
import { describeTerms } from './describe-terms.ts'
import { describeWallets } from './describe-wallets.ts'
import { isWithoutBrowser, openPages, type OpenPages } from './open-pages.ts'

let pages: OpenPages

describe.skipIf(isWithoutBrowser)('the send page, in a browser', () => {
  beforeAll(async () => {
    pages = await openPages()
  })
  afterAll(() => pages?.close())

  describe.concurrent('for visitors at the same time', () => {
    describeTerms(() => pages)
    describeStorage(() => pages)
    describeWallets(() => pages)
  })
})
