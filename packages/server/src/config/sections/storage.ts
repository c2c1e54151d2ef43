import { setting } from '../setting.ts'
import { text, url } from '../value-kinds.ts'

export const storageSettings = {
  DATABASE_URL: setting(url('postgres:', 'postgresql:').optional(), {
    meaning:
      'a PostgreSQL, without a pooler that shares connections between transactions; mainnet and the profile production need one whose fsync is on',
    example: 'postgres://sotto@127.0.0.1/sotto',
    defaultText: 'the embedded database',
    secret: 'url',
  }),
  DATA: setting(text.default('./.sotto'), {
    meaning: 'folder of the embedded database',
    example: './.sotto',
  }),
}
