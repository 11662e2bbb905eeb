/** Adds a data request for a source ($4) of an inventory ($3), and returns its ID. */
export const REQUEST = `
  with made as (
    insert into data_requests (customer_id, organization_id, inventory_id, kind, press, person_name)
    values ($1, $2, $3, 'request', 'b', 'Someone') returning customer_id, organization_id, id
  )
  insert into data_request_cells (customer_id, organization_id, request_id, source_id)
  select customer_id, organization_id, id, $4 from made returning request_id as id`
