import { z } from 'zod'
import { setting } from '../setting.ts'
import { address, sha256, webUrl, webUrls, whole } from '../value-kinds.ts'

export const chainSettings = {
  CLUSTER: setting(z.enum(['localnet', 'devnet', 'mainnet']), {
    meaning:
      'the cluster of the RPC node; the service compares its genesis hash, and applies more rules on mainnet',
    example: 'localnet',
  }),
  RPC_URL: setting(webUrl, {
    meaning: "the URL of the node that is asked first, by Solana's JSON-RPC",
    example: 'http://127.0.0.1:8899',
    secret: 'url',
  }),
  RPC_URLS: setting(webUrls.optional(), {
    meaning:
      'further nodes of the same cluster, in order of preference; reads go to the first node that works and does not lag, transactions to several nodes',
    example: 'https://rpc-1.example.com/,https://rpc-2.example.com/',
    defaultText: 'none',
    secret: 'url',
  }),
  RECIPIENT_RPC_URLS: setting(webUrls.optional(), {
    meaning:
      'nodes of the same cluster, of another provider or your own, that alone are asked about recipients; the nodes above then learn of a recipient only from its payment. If none of them answers, quotes and deliveries wait: the nodes above are never asked instead',
    example: 'https://my-own-node.example.com/',
    defaultText: 'none: recipients are looked up among decoys at the nodes above',
    secret: 'url',
  }),
  RPC_LAG_SLOTS: setting(whole(1, 10_000).prefault('20'), {
    meaning: 'a node is not used for reads if it lags behind the others by this many slots',
    example: '20',
  }),
  LEAVES_URLS: setting(webUrls.optional(), {
    meaning:
      "sources of the tree's leaves for a worker that was away for long: URLs of /transfer/v1/leaves, or of folders that `leaves publish` made, of any operator; the service compares the leaves with the chain",
    example: 'https://leaves.example.com/sotto/',
    defaultText: "none: the chain's history is read",
    secret: 'url',
  }),
  UNFOLLOWED_SECONDS: setting(whole(30, 3_600).prefault('120'), {
    meaning:
      'if no worker has followed the chain for this long, new orders are refused and /readyz answers 503',
    example: '120',
  }),
  PROGRAM_ID: setting(address, {
    meaning: 'the address of the program',
    example: 'Sotto11111111111111111111111111111111111111',
  }),
  PROGRAM_SHA256: setting(sha256.optional(), {
    meaning: 'hash of the deployed program, if it is a different program that you have verified',
    example: '0'.repeat(64),
    defaultText: "this release's",
  }),
  VKEY_SHA256: setting(sha256.optional(), {
    meaning:
      "hash of the verifying key of that program; on mainnet it is required with the program's hash",
    example: '0'.repeat(64),
    defaultText: "this release's",
  }),
  DEPOSIT_PRIORITY_FEE: setting(whole(0, 1_000_000_000).prefault('0'), {
    meaning: "micro-lamports per compute unit that senders' transactions offer",
    example: '10000',
  }),
  SETTLE_PRIORITY_FEE: setting(whole(0, 1_000_000_000).prefault('0'), {
    meaning: 'micro-lamports per compute unit that deliveries and refunds offer',
    example: '10000',
  }),
}
