-- Balances that ended without a settlement of their own, because their owners spent them or the service kept nothing of
-- them: how many, and the most that the owners may still have in the pool. Sums by asset, so that no row names an order.
CREATE TABLE kept_by_owners (
  mint   text PRIMARY KEY REFERENCES assets (mint),
  orders integer NOT NULL CHECK (orders > 0),
  value  numeric(38, 0) NOT NULL CHECK (value >= 0)
);
