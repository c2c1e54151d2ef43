-- Amounts are numeric(20,0): u64 overflows bigint. Times of the chain are seconds in bigint columns, times of the wall
-- clock are timestamptz. Columns named sealed_* hold AEAD ciphertext under the order's epoch key.
--
-- The deposit's side and the delivery's side of an order stand apart. `orders` and `leaves` hold what the deposit shows
-- on chain. Once the deposit is recorded, an order's row isn't written again until its epoch is cleared, except for the
-- deposit's transaction. What happens to the order afterwards stands in `settlements`, `attempts` and `outbox`, under
-- names that are HMACs of the order's id under its epoch's key. No statement writes both sides, no foreign key joins
-- them (checking one marks the row that it points to), and neither side names the other's epoch, asset, amount or
-- time. So neither the order of rows, nor their versions, nor a dump from any moment joins the sides without the key.
--
-- ANALYZE copies values of each column into pg_statistic, where they outlive their rows and the clearing of their epoch.
-- Columns whose values an epoch's key or the pepper makes have no statistics: all are unique, or no statement filters
-- by them, so no plan needs them.

CREATE TABLE accounts (
  id              text PRIMARY KEY,
  name            text NOT NULL,
  fee_bps_max     integer NOT NULL CHECK (fee_bps_max BETWEEN 0 AND 4000),
  -- Most unpaid swaps and most unpaid orders, each of which holds something back.
  open_swaps_max  integer NOT NULL DEFAULT 20 CHECK (open_swaps_max >= 0),
  open_orders_max integer NOT NULL DEFAULT 1000 CHECK (open_orders_max >= 0),
  created_at      timestamptz NOT NULL,
  disabled_at     timestamptz
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
ALTER TABLE api_keys ALTER COLUMN secret_hmac SET STATISTICS 0;

-- The operator's settings for an asset; its books are on chain.
CREATE TABLE assets (
  mint                text PRIMARY KEY,
  symbol              text NOT NULL,
  name                text NOT NULL,
  decimals            integer NOT NULL CHECK (decimals BETWEEN 0 AND 18),
  kind                text NOT NULL CHECK (kind IN ('native', 'token', 'token2022')),
  -- The tariff of settlements in this asset. Its fees are two round values, so that a fee doesn't make every output
  -- unique. They stay as the operator set them, or follow what deliveries cost, at most hourly.
  service_bps         integer NOT NULL CHECK (service_bps BETWEEN 0 AND 1000),
  network_fee_exists  numeric(20, 0) NOT NULL CHECK (network_fee_exists >= 0),
  network_fee_created numeric(20, 0) NOT NULL CHECK (network_fee_created >= 0),
  tariff              text NOT NULL DEFAULT 'fixed' CHECK (tariff IN ('fixed', 'automatic')),
  tariff_changed_at   timestamptz,
  input_max           numeric(20, 0) NOT NULL CHECK (input_max > 0),
  is_swappable        boolean NOT NULL,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL
);

CREATE TABLE orders (
  -- The 16 bytes that are the Order account's seed; the tracking id is `tr_` + their base64url.
  id                      bytea PRIMARY KEY CHECK (octet_length(id) = 16),
  account_id              text NOT NULL REFERENCES accounts (id),
  -- The 16 random bytes of the quoteId: one quote, one order, for ever.
  quote_nonce             bytea NOT NULL UNIQUE CHECK (octet_length(quote_nonce) = 16),
  -- NULL if the quoteId served as the key.
  idempotency_key         text,
  -- HMAC under the epoch key over the canonical request; deleted with the key.
  fingerprint             bytea NOT NULL,
  epoch                   bigint NOT NULL,
  -- The epoch whose key seals an order that outlived its own; NULL while it is `epoch`.
  seal_epoch              bigint,
  reference               text,
  -- `deposited` until the epoch is cleared, whatever has become of the order since.
  status                  text NOT NULL CHECK (status IN ('awaiting_deposit', 'deposited', 'expired', 'delivered',
                            'refunded')),
  source_mint             text NOT NULL REFERENCES assets (mint),
  destination_mint        text NOT NULL REFERENCES assets (mint),
  amount_in               numeric(20, 0) NOT NULL,
  partner_fee             numeric(20, 0) NOT NULL,
  -- The note's value, in the destination's base units, and what a delivery pays of it. The rest is the fee.
  value                   numeric(20, 0) NOT NULL CHECK (value > 0),
  amount_out              numeric(20, 0) NOT NULL CHECK (amount_out BETWEEN 1 AND value),
  sender                  text NOT NULL,
  -- The account credited with the partner's share; NULL without one.
  partner_account         text,
  -- Chain seconds. Deadline and expiry are in the note and never change. An authorisation may end before the
  -- deadline; no authorisation of the order is valid after `valid_until`.
  deadline                bigint NOT NULL,
  valid_until             bigint NOT NULL,
  expiry                  bigint NOT NULL,
  inner_commitment        bytea NOT NULL CHECK (octet_length(inner_commitment) = 32),
  -- The leaf that the deposit appends to the tree: the order is deposited once the tree has it.
  leaf                    bytea NOT NULL UNIQUE CHECK (octet_length(leaf) = 32),
  -- The 65 bytes in the deposit's instruction data.
  payload                 bytea NOT NULL CHECK (octet_length(payload) = 65),
  -- Last block height at which the newest transaction of this order can land.
  last_valid_block_height bigint NOT NULL,
  -- JSON: recipient, the fee class that was quoted, requested delays.
  sealed_terms            bytea NOT NULL,
  -- The exact bytes of the first response, replayed to every retry.
  sealed_response         bytea NOT NULL,
  created_at              timestamptz NOT NULL,
  -- Truncated to the hour once final: an exact time would be the delivery's.
  updated_at              timestamptz NOT NULL,
  -- Set as soon as the leaf is seen at any commitment; only a hint for nextAction.
  deposit_seen_at         timestamptz,
  -- Set at finality, with the leaf's place in the tree.
  leaf_index              bigint UNIQUE,
  deposit_at              bigint,
  -- The deposit's transaction, if it was found.
  deposit_signature       text,
  deposit_slot            bigint,
  -- JSON: the drawn delivery time.
  sealed_plan             bytea,
  -- When the order became final, truncated to the hour.
  final_hour              timestamptz,
  -- An unpaid order holds one of the places of its account, or of the network that a visitor of the send page came
  -- from. No two orders hold the same one, so that any number of concurrent requests makes no more orders than there
  -- are places.
  place                   integer CHECK (place >= 0),
  -- The network under a key of the order's epoch: it shows that two orders of an hour came from one network; after the
  -- key's destruction it can't be traced. Empty for orders that came by a partner's API key, so that the index below
  -- needs no expression, of which the database would keep samples.
  network                 bytea NOT NULL DEFAULT '' CHECK (octet_length(network) IN (0, 16)),
  -- The key in front of the account: a connection that plans while the table is new then finds an order by its key
  -- through no other index, however large the table grows.
  UNIQUE (idempotency_key, account_id)
);
-- Unpaid orders end with their last authorisation.
CREATE INDEX orders_open ON orders (status, valid_until) WHERE final_hour IS NULL;
CREATE INDEX orders_deposited ON orders (id) WHERE status = 'deposited';
CREATE INDEX orders_by_account ON orders (account_id, created_at, id);
CREATE INDEX orders_by_epoch ON orders (epoch);
CREATE INDEX orders_by_seal_epoch ON orders (seal_epoch) WHERE seal_epoch IS NOT NULL;
-- Anonymity sets: how many recent deposits look alike.
CREATE INDEX orders_by_deposit ON orders (deposit_at) WHERE deposit_at IS NOT NULL;
CREATE UNIQUE INDEX orders_unpaid ON orders (account_id, network, place)
  WHERE status = 'awaiting_deposit' AND final_hour IS NULL;
ALTER TABLE orders
  ALTER COLUMN fingerprint SET STATISTICS 0,
  ALTER COLUMN payload SET STATISTICS 0,
  ALTER COLUMN sealed_terms SET STATISTICS 0,
  ALTER COLUMN sealed_response SET STATISTICS 0,
  ALTER COLUMN sealed_plan SET STATISTICS 0,
  ALTER COLUMN network SET STATISTICS 0;

-- One row for each order that a worker has begun to settle, made only then.
CREATE TABLE settlements (
  pseudonym      bytea PRIMARY KEY CHECK (octet_length(pseudonym) = 32),
  -- `moved`: the order was resealed and goes on under another pseudonym.
  status         text NOT NULL CHECK (status IN ('deposited', 'delivering', 'delivered', 'refunding', 'refunded',
                   'moved')),
  -- Replaces the plan that the order was deposited with, if it changed since.
  sealed_plan    bytea,
  sealed_outcome bytea,
  -- A lease, not a lock: only the holder of the newest fence may write.
  lease_owner    text,
  lease_until    timestamptz,
  lease_fence    bigint NOT NULL DEFAULT 0,
  -- The hour in which the settlement became final, which is public on the chain.
  final_hour     timestamptz
);
CREATE INDEX settlements_final ON settlements (final_hour) WHERE final_hour IS NOT NULL;
ALTER TABLE settlements
  ALTER COLUMN pseudonym SET STATISTICS 0,
  ALTER COLUMN sealed_plan SET STATISTICS 0,
  ALTER COLUMN sealed_outcome SET STATISTICS 0;

-- The journal: what was signed, written before it is broadcast. Sealed, because a signature or a time would join the
-- two sides.
CREATE TABLE attempts (
  pseudonym bytea NOT NULL REFERENCES settlements (pseudonym) ON DELETE CASCADE,
  number    integer NOT NULL,
  kind      text NOT NULL CHECK (kind IN ('deliver', 'refund')),
  state     text NOT NULL CHECK (state IN ('live', 'landed', 'dead')),
  sealed    bytea NOT NULL,
  PRIMARY KEY (pseudonym, number)
);
-- At most one attempt of an order can be live.
CREATE UNIQUE INDEX attempts_live ON attempts (pseudonym) WHERE state = 'live';
ALTER TABLE attempts
  ALTER COLUMN pseudonym SET STATISTICS 0,
  ALTER COLUMN sealed SET STATISTICS 0;

-- Every leaf of the tree, in its order; checked against the chain's roots.
CREATE TABLE leaves (
  leaf_index bigint PRIMARY KEY,
  leaf       bytea NOT NULL CHECK (octet_length(leaf) = 32)
);
-- Not unique: with a stolen authoriser key, the same note can be deposited twice.
CREATE INDEX leaves_by_leaf ON leaves (leaf, leaf_index);

-- How far the chain has been followed, at finality. One row.
CREATE TABLE chain_cursor (
  only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  program      text NOT NULL,
  domain       bytea NOT NULL,
  -- Leaves of the tree at that slot.
  next_leaf    bigint NOT NULL,
  slot         bigint NOT NULL,
  block_height bigint NOT NULL,
  -- The chain's clock at that slot; deadlines follow it and never the server's.
  unix_seconds bigint NOT NULL,
  -- Why new orders are halted; NULL if they aren't.
  halted       text,
  updated_at   timestamptz NOT NULL
);

-- What workers report about the service itself, for the processes that take orders. One row. The times are those of a
-- check, not of a transfer.
CREATE TABLE health (
  only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Whether the relayers can pay for the open orders and those that may still come, and for how many more; NULL
  -- before the first check.
  is_liquid   boolean,
  free_orders integer,
  liquid_at   timestamptz,
  -- Whether chain and database agreed in the newest comparison; NULL before the first.
  books_agree boolean,
  books_at    timestamptz
);
INSERT INTO health (only_row) VALUES (true);

-- Orders that a rebuild found on chain and could not open: their keys are gone, so their notes can't be settled by the
-- service. Written only on an operator's command; their leaves then no longer keep other keys from being destroyed.
CREATE TABLE written_off (
  order_id bytea PRIMARY KEY CHECK (octet_length(order_id) = 16)
);

-- Endpoints for the events of an account's orders. Nothing here is written when a message is sent, except once when an
-- endpoint answers that it is gone. The secrets that sign messages are derived from the pepper, the endpoint's id
-- and the version, and aren't stored.
CREATE TABLE webhooks (
  id             text PRIMARY KEY,
  account_id     text NOT NULL REFERENCES accounts (id),
  url            text NOT NULL,
  secret_version integer NOT NULL DEFAULT 1 CHECK (secret_version > 0),
  -- Until then the previous secret signs too.
  overlap_until  timestamptz,
  created_at     timestamptz NOT NULL,
  -- Only the hour: the exact time would be that of a message.
  disabled_at    timestamptz CHECK (disabled_at = date_trunc('hour', disabled_at, 'UTC'))
);
CREATE INDEX webhooks_by_account ON webhooks (account_id, created_at);

-- Changes of status to be sent, one row each, written in the transaction of the change. Rows of deliveries and refunds
-- belong to the delivery's side: no order, account, endpoint, status or epoch is in the clear. The name is an HMAC of
-- order and status under the order's epoch key, so that two changes of one order have nothing in common without it;
-- the rest is sealed under the same key. While the service has any enabled endpoint, every change has a row, and every
-- row is polled equally often after the same pauses, whether or not there is an endpoint to send to, so that a row
-- reveals nothing of its order's account. A poll moves `due_at` to the next one when it begins, so that no lease is
-- needed, and reseals the row a fixed time later.
CREATE TABLE outbox (
  name   bytea PRIMARY KEY CHECK (octet_length(name) = 32),
  sealed bytea NOT NULL,
  -- NULL once nothing is left to be sent.
  due_at timestamptz,
  -- Of the change; rows are deleted by it once no key of this hour or an older one exists.
  hour   timestamptz NOT NULL,
  -- The polls so far. The writer of a poll's result names it, and fails if there was another since.
  polls  smallint NOT NULL DEFAULT 0
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_hour ON outbox (hour);
ALTER TABLE outbox
  ALTER COLUMN name SET STATISTICS 0,
  ALTER COLUMN sealed SET STATISTICS 0;
