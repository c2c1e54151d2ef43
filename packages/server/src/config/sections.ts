import { chainSettings } from './sections/chain.ts'
import { awsSettings, keySettings, vaultSettings } from './sections/keys.ts'
import { priceSettings, screeningSettings } from './sections/prices.ts'
import { serviceSettings } from './sections/service.ts'
import { storageSettings } from './sections/storage.ts'
import { tracingSettings } from './sections/tracing.ts'
import { transferSettings, workerSettings } from './sections/transfers.ts'
import { webSettings } from './sections/web.ts'
import type { Section } from './setting.ts'

/** Every setting's schema, by its name without `SOTTO_`. */
export const settings = {
  ...serviceSettings,
  ...chainSettings,
  ...storageSettings,
  ...keySettings,
  ...vaultSettings,
  ...awsSettings,
  ...priceSettings,
  ...screeningSettings,
  ...transferSettings,
  ...workerSettings,
  ...tracingSettings,
  ...webSettings,
}

/** The same in the order of the documentation. */
export const sections: readonly Section[] = [
  { title: 'Service', about: '', settings: serviceSettings },
  {
    title: 'Chain',
    about:
      'If there are several nodes, each is asked for its slot every two seconds. A failed node is used last for a while, a lagging one not at all, and the log records `rpc_node_down` and `rpc_node_up` with its index in the list, 0 being `SOTTO_RPC_URL`. A node of a different cluster than the first that answered is never used.',
    settings: chainSettings,
  },
  { title: 'Storage', about: '', settings: storageSettings },
  {
    title: 'Keys',
    about:
      "A signing key is named by its location: `file:<path>` (a keypair of the Solana CLI), `vault:<name>` (an ed25519 key of Vault's transit engine) or `aws-kms:<key id or alias>` (a key of the spec ECC_NIST_EDWARDS25519). Vault and KMS sign; the key never comes here, and each signature is verified before it is used.",
    settings: keySettings,
  },
  {
    title: 'Vault',
    about:
      'The token needs `read` on the transit keys and `update` on their `sign`, and on the KV engine `create`, `read` and `update` on `data/<path>/*`, `list`, `read` and `delete` on `metadata/<path>/*`, and `update` on `destroy/<path>/*`.',
    settings: vaultSettings,
  },
  {
    title: 'AWS KMS',
    about: 'The credentials need `kms:Sign` and `kms:GetPublicKey` on the keys.',
    settings: awsSettings,
  },
  {
    title: 'Prices',
    about:
      'A swap that has no price is refused with PRICE_UNAVAILABLE, and sends go on. If two sources disagree, the log says `prices_disagree`.',
    settings: priceSettings,
  },
  {
    title: 'Screening',
    about:
      'Sender and recipient are asked apart: each in a request and on a connection of its own, at a time of its own, in any order, without anything that names their transfer. A screener with few requests can still guess from their times which two belong together; a greater `SOTTO_SCREENER_SPREAD_MS` makes that harder and quotes slower.',
    settings: screeningSettings,
  },
  { title: 'Transfers', about: '', settings: transferSettings },
  { title: 'Worker', about: '', settings: workerSettings },
  {
    title: 'Tracing',
    about:
      'Needs the optional dependencies of `@sotto/server`, which are loaded only if tracing is on: see [observation.md](observation.md).',
    settings: tracingSettings,
  },
  {
    title: 'Pages',
    about:
      'The send page for people, at `/send` of the API, and the console for operators, at `/console` of the metrics port: see [web.md](web.md).',
    settings: webSettings,
  },
]
