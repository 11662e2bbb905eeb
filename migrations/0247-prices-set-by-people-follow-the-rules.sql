-- Price rules also apply to prices that a person set: they are calculated again.
insert into price_requests (customer_id, vehicle_id)
select customer_id, id from vehicles where 'price' = any(locked);
