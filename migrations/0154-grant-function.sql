-- A migration that comes with a new function calls this, or nobody at the existing customers could use or grant it:
-- `call grant_function(51, same_as => 8)`. Whoever holds an operation of the existing function holds the same one of the new
-- function, and users who differ from their user type differ in the same way.
--   operations  those of the new function, if it has fewer than the existing one
create procedure grant_function(new_function integer, same_as integer, operations integer[] default null) language sql as $$
  insert into user_type_permissions (customer_id, user_type_id, func, opr)
  select customer_id, user_type_id, new_function, opr from user_type_permissions
  where func = same_as and (operations is null or opr = any(operations))
  on conflict do nothing;
  insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
  select customer_id, user_id, new_function, opr, is_allowed from user_permissions
  where func = same_as and (operations is null or opr = any(operations))
  on conflict do nothing;
$$;
revoke execute on procedure grant_function(integer, integer, integer[]) from public;
