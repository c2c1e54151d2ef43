-- Works beside: 0006
--
-- What each worker last reported about its provers and about the orders that wait for them, so that quotes can state
-- how long a delivery takes. These are sums over all orders; no order, amount or address is here.
CREATE TABLE provers (
  worker          text PRIMARY KEY,
  open_orders     integer NOT NULL CHECK (open_orders >= 0),
  proofs_per_hour integer NOT NULL CHECK (proofs_per_hour > 0),
  reported_at     timestamptz NOT NULL
);
