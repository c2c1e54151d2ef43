import { setting } from '../setting.ts'
import { text, url } from '../value-kinds.ts'

export const storageSettings = {
  DATABASE_URL: setting(url('postgres:', 'postgresql:').optional(), {
    meaning:
      'the URL of a PostgreSQL server, without a pooler that shares connections between transactions; on mainnet and in the profile production, its `fsync`, `full_page_writes` and `synchronous_commit` must be on',
    example: 'postgres://sotto@127.0.0.1/sotto',
    defaultText: 'the embedded database',
    secret: 'url',
  }),
  DATA: setting(text.default('./.sotto'), {
    meaning: 'folder of the embedded database, and the default place of keys and tree',
    example: './.sotto',
  }),
  TREE: setting(text.optional(), {
    meaning:
      "file with the hashes of the note tree, so that a worker needn't hash all notes when it starts; processes of one pool on one machine may share it",
    example: '/var/lib/sotto/tree',
    defaultText: '`tree` in `SOTTO_DATA` with the embedded database, otherwise no file',
  }),
}
