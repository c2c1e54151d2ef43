-- Where partners want to be told of their orders. On the side of accounts: nothing here is written when
-- something is sent, except once when an endpoint answers that it is gone. The secrets that messages are
-- signed with are derived from the pepper, the endpoint's id and the version, and stand nowhere.
CREATE TABLE webhooks (
  id             text PRIMARY KEY,
  account_id     text NOT NULL REFERENCES accounts (id),
  url            text NOT NULL,
  secret_version integer NOT NULL DEFAULT 1 CHECK (secret_version > 0),
  -- Until then the secret before this one signs as well.
  overlap_until  timestamptz,
  created_at     timestamptz NOT NULL,
  disabled_at    timestamptz
);
CREATE INDEX webhooks_by_account ON webhooks (account_id, created_at);

-- Changes of status to be told, one row each, written in the transaction of the change. Rows of
-- deliveries and refunds belong to the delivery's side: no order, account, endpoint, status or epoch
-- stands here in the clear. The name is an HMAC of order and status under the order's epoch key, so that
-- two changes of one order have nothing in common without it; the rest is sealed under the same key.
CREATE TABLE outbox (
  name        bytea PRIMARY KEY CHECK (octet_length(name) = 32),
  sealed      bytea NOT NULL,
  -- NULL once nothing is left to be sent.
  due_at      timestamptz,
  -- A lease, not a lock: whoever holds the newest fence may write.
  lease_until timestamptz,
  fence       bigint NOT NULL DEFAULT 0,
  -- Of the change; rows go by it once no key of this hour or an older one lives.
  hour        timestamptz NOT NULL
);
CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_hour ON outbox (hour);
