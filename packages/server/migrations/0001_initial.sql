-- Amounts are numeric(20,0): u64 overflows bigint. Times of the chain are seconds in bigint columns,
-- times of the wall clock are timestamptz. Columns named sealed_* hold AEAD ciphertext under the
-- order's epoch key: whatever joins the deposit's side to the delivery's side stands only there, from
-- the first write, so that no dump or backup outlives the key.

CREATE TABLE accounts (
  id             text PRIMARY KEY,
  name           text NOT NULL,
  fee_bps_max    integer NOT NULL CHECK (fee_bps_max BETWEEN 0 AND 4000),
  open_swaps_max integer NOT NULL DEFAULT 20 CHECK (open_swaps_max >= 0),
  created_at     timestamptz NOT NULL,
  disabled_at    timestamptz
);

CREATE TABLE fee_recipients (
  account_id text NOT NULL REFERENCES accounts (id),
  address    text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, address)
);

-- The secret itself is never stored: only its HMAC under a pepper that the keystore holds.
CREATE TABLE api_keys (
  id          text PRIMARY KEY,
  account_id  text NOT NULL REFERENCES accounts (id),
  mode        text NOT NULL CHECK (mode IN ('live', 'test')),
  secret_hmac bytea NOT NULL,
  scopes      text NOT NULL,
  created_at  timestamptz NOT NULL,
  expires_at  timestamptz,
  revoked_at  timestamptz
);

-- What the operator says of an asset; its books are on chain.
CREATE TABLE assets (
  mint                    text PRIMARY KEY,
  symbol                  text NOT NULL,
  name                    text NOT NULL,
  decimals                integer NOT NULL CHECK (decimals BETWEEN 0 AND 18),
  kind                    text NOT NULL CHECK (kind IN ('native', 'token')),
  service_bps             integer NOT NULL CHECK (service_bps BETWEEN 0 AND 1000),
  -- The tariff: two round values, so that a fee doesn't make every output unique.
  network_fee_exists      numeric(20, 0) NOT NULL CHECK (network_fee_exists >= 0),
  network_fee_created     numeric(20, 0) NOT NULL CHECK (network_fee_created >= 0),
  input_max               numeric(20, 0) NOT NULL CHECK (input_max > 0),
  is_swappable            boolean NOT NULL,
  created_at              timestamptz NOT NULL,
  updated_at              timestamptz NOT NULL
);

CREATE TABLE orders (
  -- The 16 bytes that are the Order account's seed; the tracking id is `tr_` + their base64url.
  id                      bytea PRIMARY KEY CHECK (octet_length(id) = 16),
  account_id              text NOT NULL REFERENCES accounts (id),
  -- The 16 random bytes of the quoteId: one quote, one order, for ever.
  quote_nonce             bytea NOT NULL UNIQUE CHECK (octet_length(quote_nonce) = 16),
  -- NULL where the quoteId served as the key.
  idempotency_key         text,
  -- HMAC under the epoch key over the canonical request; gone with the key.
  fingerprint             bytea NOT NULL,
  epoch                   bigint NOT NULL,
  reference               text,
  status                  text NOT NULL CHECK (status IN ('awaiting_deposit', 'deposited', 'delivering',
                            'delivered', 'refunding', 'refunded', 'expired')),
  source_mint             text NOT NULL REFERENCES assets (mint),
  destination_mint        text NOT NULL REFERENCES assets (mint),
  amount_in               numeric(20, 0) NOT NULL,
  amount_out              numeric(20, 0) NOT NULL,
  fee                     numeric(20, 0) NOT NULL,
  partner_fee             numeric(20, 0) NOT NULL,
  sender                  text NOT NULL,
  -- The account credited with the partner's share; NULL without one.
  partner_account         text,
  -- Chain seconds. A swap's authorisation ends before its deadline and refresh moves it.
  deadline                bigint NOT NULL,
  valid_until             bigint NOT NULL,
  expiry                  bigint NOT NULL,
  inner_commitment        bytea NOT NULL CHECK (octet_length(inner_commitment) = 32),
  -- The 52 bytes in the deposit's instruction data.
  payload                 bytea NOT NULL CHECK (octet_length(payload) = 52),
  -- Last block height at which the newest transaction of this order can land.
  last_valid_block_height bigint NOT NULL,
  -- JSON: recipient, the fee class it was quoted, requested delays.
  sealed_terms            bytea NOT NULL,
  -- The exact bytes of the first response, replayed to every retry.
  sealed_response         bytea NOT NULL,
  created_at              timestamptz NOT NULL,
  -- Truncated to the hour once final: an exact time would be the delivery's.
  updated_at              timestamptz NOT NULL,
  -- Set as soon as the Order account is seen at any commitment; only a hint for nextAction.
  deposit_seen_at         timestamptz,
  -- The deposit's side is public on chain; set at finality.
  deposit_signature       text,
  deposit_slot            bigint,
  deposit_at              bigint,
  leaf_index              bigint UNIQUE,
  -- JSON: the drawn delivery time; later signature, slot, time and reason of delivery or refund.
  sealed_plan             bytea,
  sealed_outcome          bytea,
  -- A lease, not a lock: whoever holds the newest fence may write.
  lease_owner             text,
  lease_until             timestamptz,
  lease_fence             bigint NOT NULL DEFAULT 0,
  -- When the order became final, truncated to the hour.
  final_hour              timestamptz,
  UNIQUE (account_id, idempotency_key)
);
CREATE INDEX orders_open ON orders (status, deadline) WHERE final_hour IS NULL;
CREATE INDEX orders_by_account ON orders (account_id, created_at, id);
CREATE INDEX orders_by_epoch ON orders (epoch);
-- Crowds: how many recent deposits look alike.
CREATE INDEX orders_by_deposit ON orders (deposit_at) WHERE deposit_at IS NOT NULL;

-- The journal: what was signed, written before it is broadcast. Sealed, because a signature or a
-- time would join the two sides. No clear column says when.
CREATE TABLE attempts (
  order_id bytea NOT NULL REFERENCES orders (id),
  number   integer NOT NULL,
  kind     text NOT NULL CHECK (kind IN ('deliver', 'refund')),
  state    text NOT NULL CHECK (state IN ('live', 'landed', 'dead')),
  sealed   bytea NOT NULL,
  PRIMARY KEY (order_id, number)
);
-- At most one attempt of an order can be live.
CREATE UNIQUE INDEX attempts_live ON attempts (order_id) WHERE state = 'live';

-- Every leaf of the tree, from instruction data; checked against the chain's roots.
CREATE TABLE leaves (
  leaf_index bigint PRIMARY KEY,
  leaf       bytea NOT NULL CHECK (octet_length(leaf) = 32),
  order_id   bytea NOT NULL UNIQUE,
  slot       bigint NOT NULL
);

-- How far the chain has been followed, at finality. One row.
CREATE TABLE chain_cursor (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  program        text NOT NULL,
  domain         bytea NOT NULL,
  last_signature text,
  slot           bigint NOT NULL,
  block_height   bigint NOT NULL,
  -- The chain's clock at that slot; deadlines follow it and never the server's.
  unix_seconds   bigint NOT NULL,
  next_leaf      bigint NOT NULL,
  -- Why new orders are halted; NULL where they aren't.
  halted         text,
  updated_at     timestamptz NOT NULL
);
