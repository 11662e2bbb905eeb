-- Activity data (16), assignments (17) and evidence (18) guard their own calls, which asked for carbon emission (19) before.
-- Sharing a view of a list needs a permission (51). Operations that decided about nothing are gone.

-- A migration that gives an operation a meaning of its own calls this: `call grant_operation(51, 3, any_of => '{{8,3},{8,4}}')`.
-- Whoever can do one of the others, as function and operation, can do the new one, by user type or as a user who differs from
-- it. Users who were denied the new one before stay denied.
create procedure grant_operation(new_function integer, new_operation integer, any_of integer[][]) language sql as $$
  insert into user_type_permissions (customer_id, user_type_id, func, opr)
  select distinct p.customer_id, p.user_type_id, new_function, new_operation
  from user_type_permissions p
  join generate_subscripts(any_of, 1) place on p.func = any_of[place][1] and p.opr = any_of[place][2]
  on conflict do nothing;
  insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
  select u.customer_id, u.id, new_function, new_operation, could.could
  from users u
  cross join lateral (select coalesce(bool_or(coalesce(d.is_allowed, t.func is not null)), false) as could
    from generate_subscripts(any_of, 1) place
    left join user_permissions d on d.customer_id = u.customer_id and d.user_id = u.id
      and d.func = any_of[place][1] and d.opr = any_of[place][2]
    left join user_type_permissions t on t.customer_id = u.customer_id and t.user_type_id = u.user_type_id
      and t.func = any_of[place][1] and t.opr = any_of[place][2]) could
  where could.could <> exists (select from user_type_permissions t where t.customer_id = u.customer_id
    and t.user_type_id = u.user_type_id and t.func = new_function and t.opr = new_operation)
  on conflict do nothing;
$$;
revoke execute on procedure grant_operation(integer, integer, integer[]) from public;

-- Nobody can do more or less than before: the audit log stays as it is.
alter table user_type_permissions disable trigger audit;
alter table user_permissions disable trigger audit;

-- These decided about nothing until now, so whoever holds them isn't asked. What was denied to a user is kept.
create temporary table asked_for on commit drop as
  select 16 as func, unnest('{1,3,4,5}'::int[]) as opr union all
  select 17, unnest('{3,4,5}'::int[]) union all
  select 18, unnest('{1,2,3,5}'::int[]);
delete from user_type_permissions p using asked_for a where p.func = a.func and p.opr = a.opr;
delete from user_permissions p using asked_for a where p.func = a.func and p.opr = a.opr and p.is_allowed;

create temporary table decided_nothing on commit drop as
  select func, opr from unnest('{14,21,29,35,37,38,43,44,45,47}'::int[]) func, generate_series(1, 8) opr union all
  values (4, 1), (5, 8), (6, 1), (7, 1), (10, 7), (11, 1), (12, 3), (12, 4), (12, 5), (15, 1), (15, 5), (16, 6), (17, 1),
    (18, 4), (18, 6), (24, 1), (25, 2), (25, 6), (27, 7), (30, 3), (31, 3), (31, 5), (40, 2), (48, 2);
delete from user_type_permissions p using decided_nothing d where p.func = d.func and p.opr = d.opr;
delete from user_permissions p using decided_nothing d where p.func = d.func and p.opr = d.opr;

call grant_operation(16, 1, any_of => '{{19,1}}');
call grant_operation(16, 3, any_of => '{{19,3}}');
call grant_operation(16, 4, any_of => '{{19,4}}');
call grant_operation(16, 5, any_of => '{{19,5}}');
call grant_operation(17, 3, any_of => '{{19,3}}');
call grant_operation(17, 4, any_of => '{{19,4}}');
call grant_operation(17, 5, any_of => '{{19,5}}');
call grant_operation(18, 1, any_of => '{{19,1}}');
call grant_operation(18, 2, any_of => '{{19,2}}');
call grant_operation(18, 3, any_of => '{{19,3},{19,4}}');
call grant_operation(18, 5, any_of => '{{19,5}}');
-- Choosing a facility for the first time is creating, changing the choice updating.
call grant_operation(15, 3, any_of => '{{15,3},{15,4}}');

-- Whoever may change something that colleagues see may still share views. Operation 3 of carbon insights (20) is how auditors
-- open its step, so it doesn't count.
call grant_operation(51, 3, any_of => '{{2,3},{2,4},{3,3},{3,4},{5,3},{5,4},{6,3},{6,4},{7,4},{8,3},{8,4},{9,3},{9,4},{10,3},
  {10,4},{11,3},{11,4},{12,7},{13,3},{13,4},{15,3},{15,4},{16,3},{16,4},{17,3},{17,4},{18,3},{19,3},{19,4},{22,3},{22,4},
  {23,3},{23,4},{24,4},{24,7},{25,3},{25,4},{26,3},{26,4},{26,7},{27,3},{27,4},{28,3},{28,4},{30,4},{31,4},{32,3},{32,4},
  {33,3},{33,4},{34,3},{34,4},{36,3},{36,4},{39,3},{39,4},{50,3},{50,4}}');

alter table user_type_permissions enable trigger audit;
alter table user_permissions enable trigger audit;
