-- What is done about a gap in the answers of a target.
create table assessment_actions (
  customer_id bigint not null default nullif(current_setting('app.customer_id', true), '')::bigint,
  id bigint generated always as identity,
  organization_id bigint not null,
  target_id bigint not null,
  -- The question whose answer should become better. Null: the target as a whole.
  question_code text,
  title text not null,
  note text,
  owner_id bigint,
  due_on date,
  cost_cents bigint check (cost_cents >= 0),
  -- Tonnes of CO2e that it is expected to save in a year.
  expected_tonnes numeric(14, 3) check (expected_tonnes >= 0),
  status text not null default 'open' check (status in ('open', 'done', 'dropped')),
  done_on date,
  version integer not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  updated_by text default nullif(current_setting('app.actor_name', true), ''),
  primary key (customer_id, id),
  foreign key (customer_id, organization_id, target_id) references assessment_targets (customer_id, organization_id, id)
    on delete cascade,
  foreign key (customer_id, owner_id) references users (customer_id, id) on delete set null (owner_id),
  check ((status = 'done') = (done_on is not null))
);
create index assessment_actions_of_target on assessment_actions (customer_id, organization_id, target_id, id);
create index assessment_actions_owner on assessment_actions (customer_id, owner_id);
create trigger touch before update on assessment_actions for each row execute function touch_row();
call protect_tenant_table('assessment_actions', array['id'], by_organization => true);

-- The middle of the scores of an assessment, for the total (section null) and for each section. Row level security hides the
-- targets of other organizations from a user who reaches one; this returns nothing about fewer than five, and no single score:
-- quartiles and median only.
create function assessment_benchmark(assessment bigint)
returns table (section text, targets integer, lower_quartile numeric, median numeric, upper_quartile numeric)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with scored as (
    select null::text as section, p.score as score from public.assessment_targets t
    join public.assessment_progress p on p.customer_id = t.customer_id and p.target_id = t.id
    where t.customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint) and t.assessment_id = assessment
      and t.state in ('submitted', 'in_review', 'approved', 'closed') and p.score is not null
    union all
    select s ->> 'section', (s ->> 'score')::numeric from public.assessment_targets t
    join public.assessment_progress p on p.customer_id = t.customer_id and p.target_id = t.id
    cross join lateral jsonb_array_elements(p.scores -> 'sections') s
    where t.customer_id = (select nullif(current_setting('app.customer_id', true), '')::bigint) and t.assessment_id = assessment
      and t.state in ('submitted', 'in_review', 'approved', 'closed') and s ->> 'score' is not null
  )
  select section, count(*)::int,
    round(percentile_cont(0.25) within group (order by score)::numeric, 1),
    round(percentile_cont(0.5) within group (order by score)::numeric, 1),
    round(percentile_cont(0.75) within group (order by score)::numeric, 1)
  from scored group by section having count(*) >= 5
$$;
revoke execute on function assessment_benchmark(bigint) from public;
grant execute on function assessment_benchmark(bigint) to forecourt_app;
