-- No version before this one may run beside it. Top-ups are sealed under keys of their own, whose numbers an older worker
-- takes for hours in the far future: it could fail at each step along the chain, and the key would never be destroyed. An
-- older worker also delivers a deposit without the crowd that its sender asked for.
COMMENT ON COLUMN orders.epoch IS
  'The hour, counted from 1970, whose key seals the order. For a top-up, 2^30 is added.';
