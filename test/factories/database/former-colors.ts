import type pg from 'pg'

/** Everything that stores names of the color fields, with their former names, in a database with one lot. */
const FORMER = `
  with lot as (select * from lots)
  insert into vehicles (customer_id, organization_id, lot_id, stock, status, colour, generic_colour, interior_colour, locked, provenance)
  select customer_id, organization_id, id, 'S1', 'live', 'Blue', 'Blue', 'colour', '{colour,price}',
    '[{"source": "feed", "by": "colour", "run": "7", "fields": ["make", "interiorColour"]}]' from lot;
  insert into provider_mappings (customer_id, name, mapping) select id, 'DMS',
    '{"fields": {"colour": {"source": {"kind": "column", "column": "colour"}}}, "leaveOut": {"rule": "colour == 1", "reason": "Test"}}'
    from customers;
  insert into value_mappings (customer_id, field, raw, raw_key, canonical)
    select id, 'genericColour', 'Meteorite', 'meteorite', 'Gray' from customers;
  insert into channels (customer_id, name, kind, format, destination, rule, columns)
    select id, 'Custom', 'csv', 'csv', 'pull', 'colour == "colour" && stock != ''colour''',
      '[{"name": "colour", "value": "{colour} / {interior_colour}"}]'::jsonb from customers
    union all select id, 'Standard', 'csv', 'csv', 'pull', '', '[]' from customers;
  insert into list_views (customer_id, list, name, scope, owner_user_id, owner_name, state)
    select id, 'vehicles', 'Blue', 'private', 1, 'Ann',
      '{"filter": "colour.contains(\\"blue\\")", "columns": ["stock", "colour"], "widths": {"colour": 90}}'::jsonb from customers
    union all select id, 'valueMappings', 'Colors', 'private', 1, 'Ann', '{"filter": "field == \\"genericColour\\""}' from customers;
  with job as (
    insert into jobs (customer_id, acting_organization_id, organization_id, reach, actor_customer_id, actor_user_id, actor_name,
      effective_customer_id, effective_user_id, effective_name, kind, title, state, payload)
    select o.customer_id, o.id, o.id, 'organization', o.customer_id, 1, 'Ann', o.customer_id, 1, 'Ann', j.kind, j.kind, 'done', j.payload
    from organizations o cross join (values
      ('reports.startExport', '{"list": "vehicles", "columns": ["colour"], "sort": "-colour"}'::jsonb),
      ('valueMappings.apply', '{"changes": [{"field": "genericColour", "from": "Meteorite", "to": "Gray"}]}')) j (kind, payload)
    returning customer_id, id, kind
  )
  insert into job_rows (customer_id, job_id, row_id, before)
    select customer_id, id, 1, '{"was": {"genericColour": "Meteorite"}, "provenance": [{"source": "feed", "fields": ["genericColour"]}]}'
    from job where kind = 'valueMappings.apply'`

/** Writes rows with the former names of the color fields. */
export async function addFormerColors(owner: pg.Client): Promise<void> {
  await owner.query(FORMER)
}

/** What they are after the upgrade. */
export async function readColors(owner: pg.Client): Promise<unknown> {
  const { rows } = await owner.query<{ stored: unknown }>(`select jsonb_build_object(
    'vehicle', (select jsonb_build_array(color, generic_color, interior_color, locked, provenance, version) from vehicles),
    'audit', (select jsonb_build_array(after -> 'color', after -> 'interior_color', after -> 'locked', after ? 'colour')
      from audit_log where table_name = 'vehicles'),
    'mapping', (select mapping from provider_mappings),
    'value', (select field from value_mappings),
    'rules', (select jsonb_agg(rule order by name) from channels),
    'columns', (select jsonb_agg(jsonb_path_query_array(columns, '$[*] ? (@.name like_regex "colour")') order by name) from channels),
    'standard', (select jsonb_array_length(columns) from channels where name = 'Standard'),
    'jobs', (select jsonb_agg(payload order by kind) from jobs),
    'undo', (select before from job_rows),
    'views', (select jsonb_agg(state order by name) from list_views)) as stored`)
  return rows[0]?.stored
}

/** Expected from `readColors`: values, users' names and columns of files keep their spelling. */
export const NEW_COLORS = {
  vehicle: [
    'Blue',
    'Blue',
    'colour',
    ['color', 'price'],
    [{ source: 'feed', by: 'colour', run: '7', fields: ['make', 'interiorColor'] }],
    1,
  ],
  audit: ['Blue', 'colour', ['color', 'price'], false],
  mapping: {
    fields: { color: { source: { kind: 'column', column: 'colour' } } },
    leaveOut: { rule: 'colour == 1', reason: 'Test' },
  },
  value: 'genericColor',
  rules: [`color == "colour" && stock != 'colour'`, ''],
  columns: [
    [{ name: 'colour', value: '{color} / {interior_color}' }],
    [
      { name: 'colour', value: '{color}' },
      { name: 'interior_colour', value: '{interior_color}' },
    ],
  ],
  standard: 34,
  jobs: [
    { list: 'vehicles', columns: ['color'], sort: '-color' },
    { changes: [{ field: 'genericColor', from: 'Meteorite', to: 'Gray' }] },
  ],
  undo: { was: { genericColor: 'Meteorite' }, provenance: [{ source: 'feed', fields: ['genericColor'] }] },
  views: [
    { filter: 'color.contains("blue")', columns: ['stock', 'color'], widths: { color: 90 } },
    { filter: 'field == "genericColor"' },
  ],
}
