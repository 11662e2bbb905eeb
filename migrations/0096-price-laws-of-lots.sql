-- Price advertising rules of a lot; null: those of its state, otherwise the customer's.
alter table lots add column price_law text check (price_law in ('us', 'us-ca', 'us-ok', 'ca', 'none'));

-- The highest fees that laws allow, as customers entered them: [{"class", "region", "cents", "source", "from"}].
alter table customers add column fee_caps jsonb not null default '[]' check (jsonb_typeof(fee_caps) = 'array');
grant update (fee_caps) on customers to forecourt_app;

-- Fees say what they pay for: [{"name", "class", "cents", "percent", "vehicles", "lotIds", "from", "isInPrice"}]. Government
-- fees stay outside of the total price, dealer fees inside. This is no edit, so versions and the audit log stay as they are.
alter table customers disable trigger user;
update customers set fees = (
  select coalesce(jsonb_agg(jsonb_build_object('name', f.fee -> 'name', 'cents', f.fee -> 'cents',
    'class', coalesce(f.fee ->> 'class', case f.fee ->> 'kind' when 'government' then 'government' else 'dealer' end),
    'percent', null, 'vehicles', 'all', 'lotIds', '[]'::jsonb, 'from', null, 'isInPrice', false) order by f.place), '[]')
  from jsonb_array_elements(fees) with ordinality as f (fee, place))
where fees <> '[]';
alter table customers enable trigger user;
