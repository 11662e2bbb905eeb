// Writes src/server/database/schema.ts from a newly migrated database. With --check it fails when the file is stale.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startEmbedded } from '#server/database/embedded/start-embedded.ts'
import { migrate } from '#server/database/migrate.ts'
import { withOwner } from '#server/database/open-database.ts'

/** Text columns with a list of values in their check constraint; the generator sees only text. */
const choices = {
  'lead_files.refusal':
    '"program" | "archive" | "macros" | "tooLarge" | "tooMany" | "storageFull" | "empty" | null',
  'activity_import_lines.skipped': '"known" | "left" | "note" | null',
  'lots.type': 'Generated<"new" | "used" | "both" | "service">',
  'pricing_rule_requests.kind': '"add" | "update" | "remove" | "import" | "importLowest"',
  'pricing_rule_requests.state': '"open" | "approved" | "rejected" | "withdrawn"',
  'pricing_rules.kind':
    '"base" | "accessory" | "discount" | "rebate" | "ceiling" | "floor" | "rounding" | "offer"',
  'pricing_rules.rounding_mode': 'Generated<"down" | "nearest">',
  'pricing_rules.when_missing': 'Generated<"skip" | "cost" | "stop">',
  'pricing_rules.field': '"price" | "msrp" | "feedPrice" | "marketPrice" | "invoice" | "cost" | null',
  'channels.price_meaning': 'Generated<"total" | "without-fees" | "both">',
  'assessments.size': '"micro" | "small" | "medium" | "large" | null',
  'assessments.review': 'Generated<"none" | "one" | "two">',
  'assessments.status': 'Generated<"draft" | "open" | "closed">',
  'assessments.recurrence': 'Generated<"none" | "yearly">',
  'assessment_targets.state':
    'Generated<"not_started" | "in_progress" | "submitted" | "in_review" | "changes_requested" | "approved" | "closed">',
  'assessment_targets.size': '"micro" | "small" | "medium" | "large" | null',
  'assessment_targets.closed_from': '"submitted" | "approved" | null',
  'assessment_people.role': '"owner" | "contributor" | "reader" | "reviewer"',
  'assessment_mutations.status': '"accepted" | "conflict" | "refused"',
  'assessment_answer_log.kind': '"answer" | "refused" | "state"',
  'assessment_reviews.decision': '"started" | "approved" | "changes_requested" | "reopened"',
  'assessment_actions.status': 'Generated<"open" | "done" | "dropped">',
  'assessment_snapshots.kind': '"submitted" | "approved"',
  'assessment_reminders.kind': '"manual" | "untouched" | "started"',
  'form_submissions.state': '"received" | "unfinished" | "quarantined"',
  'short_urls.target': '"vehicle" | "form" | "url" | "page"',
  'campaigns.state': 'Generated<"draft" | "scheduled" | "sending" | "paused" | "stopped" | "finished">',
  'campaigns.reason': '"missed" | "restored" | "bounces" | "complaints" | "vehicles" | null',
  'campaign_recipients.state': 'Generated<"queued" | "mailed" | "left-out">',
  'campaign_recipients.reason':
    '"email" | "placeholder" | "suppressed" | "consent" | "declined" | "revoked" | "gone" | "stopped" | null',
  'campaign_clicks.kind': '"person" | "suspect" | "bot"',
  'campaign_clicks.evidence': '"scanner" | "program" | "burst" | "early" | null',
  'promo_page_visits.kind': '"person" | "suspect" | "bot"',
  'short_url_clicks.kind': '"person" | "suspect" | "bot"',
  'person_contacts.kind': '"email" | "phone"',
  'person_contacts.label': '"mobile" | "home" | "work" | "fax" | "other" | null',
  'people.preferred_contact': '"email" | "call" | "text" | null',
  'leads.type': '"new" | "used" | "trade-in" | "finance" | "service" | "parts" | "general"',
  'leads.source_kind': '"form" | "adf-http" | "adf-mail" | "email" | "manual" | "api"',
  'leads.status': 'Generated<"received" | "routed" | "delivered" | "failed" | "quarantined" | "duplicate">',
  'leads.outcome': 'Generated<"open" | "contacted" | "appointment" | "sold" | "lost">',
  'leads.first_response_channel': '"email" | "call" | null',
  'past_leads.outcome': '"open" | "contacted" | "appointment" | "sold" | "lost"',
  'lead_messages.direction': '"in" | "out"',
  'consent_events.kind': '"given" | "declined" | "revoked"',
  'consent_events.purpose': '"inquiry" | "marketing" | "privacy"',
  'consent_events.channel': '"email" | "call" | "text"',
  'questionnaires.status': 'Generated<"draft" | "published" | "retired">',
  'inbound_messages.kind': '"adf" | "email"',
  'inbound_messages.state': '"received" | "reply" | "ignored" | "quarantined"',
  'lead_destinations.kind': '"adf" | "email" | "webhook" | "user" | "team"',
  'lead_routing_rules.hours': 'Generated<"any" | "open" | "closed" | "between">',
  'lead_routing_rules.trade_in': 'Generated<"any" | "with" | "without">',
  'lead_routing_rules.strategy':
    'Generated<"all" | "round-robin" | "weighted" | "least-recent" | "least-open" | "failover">',
  'lead_deliveries.kind': '"adf" | "email" | "webhook"',
  'lead_deliveries.state': 'Generated<"queued" | "sending" | "delivered" | "in-doubt" | "failed">',
  'lead_deliveries.last_outcome': '"delivered" | "failed" | null',
  'lead_delivery_attempts.outcome': 'Generated<"sending" | "delivered" | "failed" | "in-doubt">',
  'lots.price_law': '"us" | "us-ca" | "us-ok" | "ca" | "none" | null',
  'vehicles.electrification': '"none" | "mild" | "hybrid" | "plug-in" | "electric" | "fuel-cell" | null',
  'vehicles.condition': 'Generated<"new" | "used" | "cpo" | "demo">',
  'vehicles.status':
    'Generated<"incoming" | "preparing" | "live" | "hold" | "pending" | "sold" | "archived" | "wholesale" | "removed">',
  'user_types.reach': 'Generated<"organization" | "customer">',
  'customers.status': 'Generated<"active" | "suspended" | "closed">',
  'outbox_mails.state': 'Generated<"waiting" | "kept" | "sent" | "failed">',
  'outbox_mails.outcome': '"delivered" | "opened" | "clicked" | "bounced" | "complained" | null',
  'email_handlers.kind': '"postmark" | "smtp" | "outbox"',
  'email_handlers.smtp_security': 'Generated<"tls" | "starttls" | "none">',
  'mail_events.kind': '"delivered" | "opened" | "clicked" | "bounced" | "complained"',
  'suppressed_addresses.reason': '"bounced" | "complained"',
  'jobs.state': 'Generated<"waiting" | "running" | "done" | "failed" | "canceled">',
  'jobs.reach': 'Generated<"organization" | "customer">',
  'job_rows.state': 'Generated<"pending" | "done" | "failed">',
  'white_labels.purpose': 'Generated<"office" | "public">',
  'organization_profiles.consolidation': '"operational" | "financial" | "equity" | null',
  'facilities.level': '"group" | "entity" | "site" | "building" | "meter"',
  'facilities.parent_level': '"group" | "entity" | "site" | "building" | "meter" | null',
  'facilities.type':
    '"showroom" | "workshop" | "paint_shop" | "office" | "storage_lot" | "car_wash" | "charging_hub" | "warehouse" | null',
  'feed_sources.kind': 'Generated<"upload" | "https" | "sftp" | "ftps" | "ftp" | "api" | "mail">',
  'feed_sources.applies': 'Generated<"ask" | "automatic">',
  'feed_sources.after_fetch': 'Generated<"keep" | "delete" | "move">',
  'feed_sources.reach': 'Generated<"organization" | "customer">',
  'feed_deliveries.state': 'Generated<"running" | "received" | "unchanged" | "failed">',
  'channels.kind': '"google" | "google-listings" | "meta" | "csv"',
  'channels.format': '"csv" | "xml" | "json"',
  'channels.destination': '"pull" | "sftp" | "ftps" | "https"',
  'channel_runs.state': 'Generated<"running" | "sent" | "unchanged" | "stopped" | "failed">',
  'facilities.floor_unit': 'Generated<"ft2" | "m2">',
  'facilities.lease': '"owned" | "finance_lease" | "operating_lease" | "leased_out" | null',
  'carbon_inventories.boundary': '"operational" | "financial" | "equity"',
  'carbon_inventories.gwp_set': 'Generated<"AR4" | "AR5" | "AR6">',
  'emission_factors.gwp_set': '"AR4" | "AR5" | "AR6" | null',
  'carbon_inventories.status':
    'Generated<"draft" | "collecting" | "in_review" | "approved" | "locked" | "restated">',
  'carbon_inventories.year_rule': 'Generated<"edition" | "latest">',
  'inventory_scope3.relevance': 'Generated<"relevant" | "not_relevant" | "not_assessed">',
  'intensity_denominators.kind': '"revenue" | "floor_area" | "staff" | "vehicles_sold" | "own"',
  'emission_sources.frequency': 'Generated<"month" | "quarter" | "year" | "once">',
  'emission_sources.method': 'Generated<"calculated" | "own_factor" | "direct" | "estimate" | "meter">',
  'assessment_participants.language': '"en" | "es" | "fr" | "de"',
  'assessment_invitations.role': '"owner" | "contributor" | "reader"',
  'assessment_invitations.state':
    'Generated<"created" | "sent" | "bounced" | "opened" | "in_progress" | "submitted" | "revoked">',
  'list_views.scope': '"private" | "organization" | "userType"',
}
const target = resolve('src/server/database/schema.ts')
const home = await mkdtemp(join(tmpdir(), 'forecourt-types-'))
const server = await startEmbedded({ home, settings: { fsync: false }, say: () => {} })
try {
  const { host, port, user, password } = server.connection
  await withOwner({ ...server.connection, database: 'postgres' }, (client) => migrate(client, user))
  const url = `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/postgres`
  const made = join(home, 'schema.ts')
  execFileSync(
    process.execPath,
    [
      'node_modules/kysely-codegen/dist/cli/bin.js',
      '--dialect=postgres',
      `--url=${url}`,
      `--out-file=${made}`,
      '--camel-case',
      '--log-level=silent',
      '--default-schema=public',
      '--include-pattern={public,iam}.*',
      '--exclude-pattern=schema_migrations',
      `--type-mapping=${JSON.stringify({ timestamptz: 'string', date: 'string', int8: 'string' })}`,
      `--overrides=${JSON.stringify({ columns: choices })}`,
    ],
    // The generator warns that it doesn't check the values above.
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const fresh = await readFile(made, 'utf8')
  const existing = await readFile(target, 'utf8').catch(() => '')
  if (process.argv.includes('--check')) {
    if (fresh !== existing) {
      console.error('src/server/database/schema.ts does not match the migrations. Run npm run db:types.')
      process.exitCode = 1
    }
  } else await writeFile(target, fresh)
} finally {
  await server.stop()
  await rm(home, { recursive: true, force: true })
}
