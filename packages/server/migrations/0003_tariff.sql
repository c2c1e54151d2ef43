-- An asset's tariff stays as the operator set it, or follows what deliveries cost, at most hourly.
ALTER TABLE assets ADD COLUMN tariff text NOT NULL DEFAULT 'fixed'
  CHECK (tariff IN ('fixed', 'automatic'));
ALTER TABLE assets ADD COLUMN tariff_changed_at timestamptz;
