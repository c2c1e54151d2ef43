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

/** The settings in the order of the documentation. */
export const sections: readonly Section[] = [
  { title: 'Service', about: '', settings: serviceSettings },
  {
    title: 'Chain',
    about:
      "If there are several nodes, each except the endpoints of `SOTTO_SEND_RPC_URLS` is asked for its slot every two seconds. A node that failed is used last for a while, and a node that lags is not used. The log records `rpc_node_down` and `rpc_node_up` with the node's index in the list; `SOTTO_RPC_URL` has index 0. The service doesn't start if a node belongs to another cluster than the node of `SOTTO_RPC_URL`. If such a node answers only after the start, the log records `rpc_node_foreign`, and the node counts as down: it is not used, and its slots are not compared with those of other nodes.",
    settings: chainSettings,
  },
  { title: 'Storage', about: '', settings: storageSettings },
  {
    title: 'Keys',
    about:
      "A signing key is named by its location: `file:<path>` (a keypair of the Solana CLI), `vault:<name>` (an ed25519 key of Vault's transit engine) or `aws-kms:<key id or alias>` (a key of the spec ECC_NIST_EDWARDS25519). Vault and KMS sign by themselves: the service never gets the key, and verifies each signature before its use.",
    settings: keySettings,
  },
  {
    title: 'Vault',
    about:
      'The token needs `read` on the transit keys and `update` on their `sign`. On the KV engine it needs three sets of rights: `create`, `read` and `update` on `data/<path>/*`; `list`, `read` and `delete` on `metadata/<path>/*`; `update` on `destroy/<path>/*`. A process with one role needs fewer rights: see [operations.md](deployment/operations.md#the-keys-of-each-role).',
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
      'A swap without a price is refused with PRICE_UNAVAILABLE; sends are still quoted. If two sources disagree, the log contains `prices_disagree`.',
    settings: priceSettings,
  },
  {
    title: 'Screening',
    about:
      'Sender and recipient are screened separately: each in its own request, on its own connection, at its own time, in random order. No request names the transfer. A screener that gets few requests can still guess from the times which two requests belong together. A greater `SOTTO_SCREENER_SPREAD_MS` makes the guess harder and quotes slower.',
    settings: screeningSettings,
  },
  { title: 'Transfers', about: '', settings: transferSettings },
  { title: 'Worker', about: '', settings: workerSettings },
  {
    title: 'Tracing',
    about:
      'Tracing needs the optional dependencies of `@sotto/server`. They are loaded only if tracing is on: see [observation.md](observation.md).',
    settings: tracingSettings,
  },
  {
    title: 'Pages',
    about:
      'The send page for customers is at `/send` of the API. The console for operators is at `/console` of the metrics port: see [web.md](web.md).',
    settings: webSettings,
  },
]
