-- Custom factors of other organizations are no longer used: open inventories are calculated again.
select mark_stale(s.customer_id, array_agg(s.id)) from emission_sources s group by s.customer_id;
