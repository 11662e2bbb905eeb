import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

const FORMER = join(import.meta.dirname, '../../fixtures/former-colors.sql')

/** Writes rows with the former names of the color fields. */
export async function addFormerColors(owner: pg.Client): Promise<void> {
  await owner.query(await readFile(FORMER, 'utf8'))
}

/** What they are after the upgrade. */
export async function readColors(owner: pg.Client): Promise<unknown> {
  const { rows } = await owner.query<{ stored: unknown }>(`select jsonb_build_object(
    'vehicle', (select jsonb_build_array(color, generic_color, interior_color, locked, provenance, version) from vehicles),
    'audit', (select jsonb_build_array(after -> 'color', after -> 'interior_color', after -> 'locked', after ? 'colour')
      from audit_log where table_name = 'vehicles'),
    'mapping', (select mapping from provider_mappings),
    'value', (select field from value_mappings),
    'rules', (select jsonb_agg(rule order by name) from channels where name in ('Custom', 'Standard')),
    'columns', (select jsonb_agg(jsonb_path_query_array(columns, '$[*] ? (@.name like_regex "colour")') order by name) from channels where name in ('Custom', 'Standard')),
    'standard', (select jsonb_array_length(columns) from channels where name = 'Standard'),
    'jobs', (select jsonb_agg(payload order by kind) from jobs where state = 'done'),
    'undo', (select before from job_rows),
    'views', (select jsonb_agg(state order by name) from list_views where name in ('Blue', 'Colors'))) as stored`)
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
    skipRule: { rule: 'colour == 1', reason: 'Test' },
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
