import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

const FORMER = join(import.meta.dirname, '../../fixtures/former-names.sql')

/** Writes rows with former names of columns, statuses and JSON keys. */
export async function addFormerNames(owner: pg.Client): Promise<void> {
  await owner.query(await readFile(FORMER, 'utf8'))
}

/** What they are after the upgrade. */
export async function readNames(owner: pg.Client): Promise<unknown> {
  const { rows } = await owner.query<{ stored: unknown }>(`select jsonb_build_object(
    'source', (select applies from feed_sources),
    'delivery', (select state from feed_deliveries),
    'run', (select jsonb_build_array(is_automatic, auto_apply, mapping, version) from feed_runs where is_automatic),
    'runs', (select jsonb_agg(jsonb_build_array(status, review_reasons, not_undone_count, error) order by id) from feed_runs),
    'views', (select jsonb_agg(state ->> 'filter' order by name) from list_views where list in ('jobs', 'feedRuns') or name = 'Why'),
    'channels', (select state from list_views where list = 'channels'),
    'rule', (select rule from channels where name = 'Former'),
    'channelRun', (select jsonb_build_array(listed, excluded, requested_by, message, reasons) from channel_runs),
    'exclusions', (select jsonb_build_array(title, reasons) from channel_exclusions),
    'job', (select state from jobs where kind = 'feedRuns.apply'),
    'row', (select jsonb_build_array(state, fingerprint, was) from feed_run_rows),
    'vehicle', (select row_fingerprint from vehicles),
    'audit', (select jsonb_agg(jsonb_build_array(table_name, operation, after -> 'row_fingerprint', after -> 'is_automatic',
        after -> 'status') order by id)
      from audit_log where table_name in ('vehicles', 'feed_runs'))) as stored`)
  return rows[0]?.stored
}

/** Expected from `readNames`. */
export const NEW_NAMES = {
  source: 'automatic',
  delivery: 'received',
  run: [true, true, { fields: {}, skipRule: { rule: 'sold == 1', reason: 'Sold' } }, 1],
  runs: [
    ['applied', [], 0, null],
    ['review', ['Few rows'], 1, null],
    ['canceled', [], 0, null],
    ['applied', [], 0, 'It was canceled before its end.'],
  ],
  views: [
    `status in ["review", 'canceled'] && fileName != "held"`,
    'state == "canceled"',
    'notPublishedReason.contains("notLive")',
  ],
  channels: {
    filter: 'listed > 3 || excluded > 1',
    sort: '-excluded,name',
    columns: ['name', 'listed'],
    widths: { excluded: 90 },
  },
  rule: 'notPublishedReason == "notLive"',
  channelRun: [3, 2, 'Ann', 'Sent', { notForSale: 1, duplicate: 2, noPrice: 1 }],
  exclusions: ['S1', ['notForSale', 'duplicate']],
  job: 'canceled',
  row: ['notUndone', 'new', { rowFingerprint: 'former', status: 'live' }],
  vehicle: 'former',
  audit: [
    ['vehicles', 'insert', 'former', null, 'live'],
    ['feed_runs', 'insert', null, true, 'applied'],
    ['feed_runs', 'insert', null, false, 'review'],
    ['feed_runs', 'insert', null, false, 'canceled'],
    ['feed_runs', 'insert', null, false, 'applied'],
  ],
}
