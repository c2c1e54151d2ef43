import { z } from 'zod'
import { setting } from '../setting.ts'
import { STEP_MAX, UNIT_PRICES } from '@sotto/protocol'
import { address, priceStep, sha256, webUrl, webUrls, whole } from '../value-kinds.ts'

export const chainSettings = {
  CLUSTER: setting(z.enum(['localnet', 'devnet', 'mainnet']), {
    meaning:
      "the cluster of the RPC node; the service checks it against the nodes' genesis hashes, and applies more rules on mainnet. A public cluster is accepted only under its own name; a private chain may be localnet or devnet",
    example: 'localnet',
  }),
  RPC_URL: setting(webUrl, {
    meaning: "the URL of a node's JSON-RPC interface; this node is asked first",
    example: 'http://127.0.0.1:8899',
    secret: 'url',
  }),
  RPC_URLS: setting(webUrls.optional(), {
    meaning:
      'further nodes of the same cluster, in order of preference; reads go to the first node that works and does not lag, and transactions go to several nodes. Each node may be named only once; URLs that differ only in user, query or fragment name the same node',
    example: 'https://rpc-1.example.com/,https://rpc-2.example.com/',
    defaultText: 'none',
    secret: 'url',
  }),
  RECIPIENT_RPC_URLS: setting(webUrls.optional(), {
    meaning:
      'separate nodes of the same cluster for requests about recipients, from another provider or your own. They must differ from the nodes above, so that the nodes above learn of a recipient only from its payment. If none of the separate nodes answers, quotes are refused and deliveries wait: the nodes above are never asked instead',
    example: 'https://my-own-node.example.com/',
    defaultText: 'none: the nodes above are asked about each recipient together with decoys',
    secret: 'url',
  }),
  SEND_RPC_URLS: setting(webUrls.optional(), {
    meaning:
      'endpoints of the same cluster for sending; each gets every transaction of the service, and no other request except one for its genesis hash at the start. If all endpoints fail, nothing is sent: the nodes above are never used instead',
    example: 'https://send-1.example.com/,https://send-2.example.com/',
    defaultText: 'none: transactions go to the nodes above',
    secret: 'url',
  }),
  RPC_LAG_SLOTS: setting(whole(1, 10_000).prefault('20'), {
    meaning:
      'the maximum lag of a node that is used for reads, in slots. The lag is measured from the highest slot of all nodes; with three nodes or more, from the second highest',
    example: '20',
  }),
  LEAVES_URLS: setting(webUrls.optional(), {
    meaning:
      "sources of the tree's leaves for a worker that was stopped for a long time: the URL of any operator's /transfer/v1/leaves, or of a folder that `leaves publish` made; the service compares the leaves with the chain",
    example: 'https://leaves.example.com/sotto/',
    defaultText: "none: the chain's history is read",
    secret: 'url',
  }),
  UNFOLLOWED_SECONDS: setting(whole(30, 3_600).prefault('120'), {
    meaning:
      'if no worker has followed the chain for this long, new orders are refused and /readyz answers 503. The same happens if the newest block that workers see is older than this time plus two minutes, except on a local chain',
    example: '120',
  }),
  PROGRAM_ID: setting(address, {
    meaning: 'the address of the program',
    example: 'Sotto11111111111111111111111111111111111111',
  }),
  PROGRAM_SHA256: setting(sha256.optional(), {
    meaning:
      "hash of the deployed program; set it only if the deployed program is not this release's, and you have verified that program",
    example: '0'.repeat(64),
    defaultText: "this release's",
  }),
  VKEY_SHA256: setting(sha256.optional(), {
    meaning:
      'hash of the verifying key of the program in SOTTO_PROGRAM_SHA256; on mainnet, set both or neither',
    example: '0'.repeat(64),
    defaultText: "this release's",
  }),
  UNIT_PRICE_MIN: setting(priceStep.optional(), {
    meaning: `the minimum compute unit price, in micro-lamports, that every transaction offers: deposits, deliveries, refunds and operator commands; closings of accounts always offer exactly this price; one of ${UNIT_PRICES.join(', ')}`,
    example: '1024',
    defaultText: '1024; 0 on a local chain or if `SOTTO_UNIT_PRICE_MAX` is 0',
  }),
  UNIT_PRICE_MAX: setting(priceStep.prefault(`${UNIT_PRICES[STEP_MAX]}`), {
    meaning:
      'the maximum compute unit price, in micro-lamports; at the default, the priority fee is at most 262,144 lamports for a settlement and 125,830 for a deposit',
    example: '262144',
    defaultText: `\`${UNIT_PRICES[STEP_MAX]}\``,
  }),
  ORDER_PRIORITY_MAX: setting(whole(0, 1_000_000_000).prefault('786432'), {
    meaning:
      "the maximum total of priority fees, in lamports, for the attempts of an order's delivery; the attempts of its refund may cost as much again. A further attempt waits until the price has fallen enough. At SOTTO_UNIT_PRICE_MIN, an attempt is always allowed",
    example: '786432',
  }),
  UNIT_PRICE_PERCENTILE: setting(whole(1, 100).prefault('75'), {
    meaning:
      "a percentile of the recent compute unit prices for the pool's tree; once an hour the service moves its price towards this percentile, by at most two prices up or one down, within SOTTO_UNIT_PRICE_MIN and SOTTO_UNIT_PRICE_MAX",
    example: '75',
  }),
}
