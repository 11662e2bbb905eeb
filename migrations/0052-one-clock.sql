-- The product's clock in SQL. The setting is only there in tests (src/server/clock.ts); without it this is now().

/** The moment at which the transaction began, by the product's clock. */
create function app_now() returns timestamptz language sql stable parallel safe as $$
  select now() + coalesce(nullif(current_setting('app.clock_offset', true), ''), '0')::interval
$$;

/** The moment at which it is called, by the product's clock. */
create function app_clock_timestamp() returns timestamptz language sql volatile parallel safe as $$
  select clock_timestamp() + coalesce(nullif(current_setting('app.clock_offset', true), ''), '0')::interval
$$;

/** The date at this moment in an IANA time zone. */
create function today(zone text) returns date language sql stable parallel safe as $$
  select (app_now() at time zone zone)::date
$$;
