import { z } from 'zod'
import { setting } from '../setting.ts'
import { STEP_MAX, UNIT_PRICES } from '@sotto/protocol'
import { address, priceStep, sha256, webUrl, webUrls, whole } from '../value-kinds.ts'

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
  SEND_RPC_URLS: setting(webUrls.optional(), {
    meaning:
      'endpoints of the same cluster that get every transaction of the service, each of them all; they are asked for nothing else. If all of them fail, nothing is sent: the nodes above are never used instead',
    example: 'https://send-1.example.com/,https://send-2.example.com/',
    defaultText: 'none: transactions go to the nodes above',
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
  UNIT_PRICE_MIN: setting(priceStep.optional(), {
    meaning: `the least price for priority, in micro-lamports per compute unit, that every transaction offers: deposits, deliveries, refunds, closings and operator commands; one of ${UNIT_PRICES.join(', ')}`,
    example: '1024',
    defaultText: '1024, and 0 on a local chain',
  }),
  UNIT_PRICE_MAX: setting(priceStep.prefault(`${UNIT_PRICES[STEP_MAX]}`), {
    meaning:
      'the greatest such price; a settlement then costs 262,144 lamports of priority at most, and a deposit 125,830',
    example: '262144',
  }),
  UNIT_PRICE_PERCENTILE: setting(whole(1, 100).prefault('75'), {
    meaning:
      "the percentile of recent prices for the pool's tree that the price follows, once an hour, between the two limits",
    example: '75',
  }),
}
