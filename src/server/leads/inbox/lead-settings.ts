import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import {
  DEFAULT_ACCEPT_MINUTES,
  DEFAULT_QUARANTINE_DAYS,
  DEFAULT_RESPONSE_MINUTES,
  LeadSettings,
  type leadSettings,
} from '#contract/leads/inbox/lead-settings.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { requireCustomerReach } from '#server/http/whole-customer.ts'
import { instant } from '#server/lists/json-text.ts'
import { readAssignees } from './assign-lead.ts'

/** Response goals, the return timer and retention. */
export const leadSettingsHandlers: Handlers<typeof leadSettings> = {
  get: ({ db, actor }) => readSettings(db, actor),

  async update({ db, actor, input: { version, ...changes } }) {
    requireCustomerReach(actor, 'Lead settings are changed')
    await sql`insert into lead_settings (customer_id) values (${actor.customerId}) on conflict do nothing`.execute(
      db,
    )
    await sql`select from lead_settings where customer_id = ${actor.customerId} for update`.execute(db)
    const current = await readSettings(db, actor)
    if (version !== undefined && current.version !== version)
      throw stale('These settings', current, { isMany: true })
    await db
      .updateTable('leadSettings')
      .set({ version: sql`version`, ...changes })
      .where('customerId', '=', actor.customerId)
      .execute()
    return readSettings(db, actor)
  },

  async updateLot({ db, actor, input: { lotId, known, ...changes } }) {
    const lot = await db
      .selectFrom('lots')
      .select('organizationId')
      .where('id', '=', lotId)
      .forUpdate()
      .executeTakeFirst()
    if (lot === undefined) throw notFound('Lot')
    const { organizationId } = lot
    const stored = await db
      .selectFrom('lotLeadSettings')
      .select([
        'responseMinutes',
        'managerId',
        'vendorNames',
        'dealerCodes',
        'postalCodes',
        'returnsToPerson',
      ])
      .where('lotId', '=', lotId)
      .executeTakeFirst()
    const before = stored ?? NO_LOT_SETTINGS
    const seen = changed(before, known ?? {})
    if (known?.managerId !== undefined && seen.managerId !== before.managerId)
      throw stale('The manager of this lot', await readSettings(db, actor))
    if (!isDeepStrictEqual(seen, before))
      throw stale('What this lot is found by', await readSettings(db, actor))
    const after = changed(before, changes)
    const { managerId } = after
    if (changes.dealerCodes !== undefined)
      await refuseTakenCodes(db, { lotId, dealerCodes: after.dealerCodes })
    if (managerId !== null && !(await readAssignees(db, organizationId)).some(({ id }) => id === managerId))
      throw refused('Some fields are invalid.', { managerId: 'Choose someone who can work on these leads.' })
    await db
      .insertInto('lotLeadSettings')
      .values({ lotId, organizationId, ...after })
      .onConflict((on) => on.columns(['customerId', 'lotId']).doUpdateSet({ organizationId, ...after }))
      .execute()
    return readSettings(db, actor)
  },
}

type LotValues = {
  responseMinutes: number | null
  managerId: string | null
  vendorNames: string[]
  dealerCodes: string[]
  postalCodes: string[]
  returnsToPerson: boolean
}
const NO_LOT_SETTINGS: LotValues = {
  responseMinutes: null,
  managerId: null,
  vendorNames: [],
  dealerCodes: [],
  postalCodes: [],
  returnsToPerson: true,
}

/** `before`, with what is given of `changes`. */
function changed(
  before: LotValues,
  changes: { [K in keyof LotValues]?: LotValues[K] | undefined },
): LotValues {
  return {
    responseMinutes: changes.responseMinutes === undefined ? before.responseMinutes : changes.responseMinutes,
    managerId: changes.managerId === undefined ? before.managerId : changes.managerId,
    vendorNames: changes.vendorNames ?? before.vendorNames,
    dealerCodes: changes.dealerCodes ?? before.dealerCodes,
    postalCodes: changes.postalCodes ?? before.postalCodes,
    returnsToPerson: changes.returnsToPerson ?? before.returnsToPerson,
  }
}

/** A dealer code that two lots have would find neither. @throws Failure 400 */
async function refuseTakenCodes(
  db: Database,
  { lotId, dealerCodes }: { lotId: string; dealerCodes: readonly string[] },
): Promise<void> {
  const { rows } = await sql<{ name: string; code: string }>`
    select l.name, sent.code from lot_lead_settings s join lots l on l.customer_id = s.customer_id and l.id = s.lot_id
    cross join unnest(s.dealer_codes) sent (code)
    where s.lot_id <> ${lotId} and lower(sent.code) = any (${dealerCodes.map((code) => code.toLowerCase())}::text[]) limit 1`.execute(
    db,
  )
  const [taken] = rows
  if (taken === undefined) return
  throw refused('Some fields are invalid.', {
    dealerCodes: `${taken.name} has the dealer code ${taken.code}.`,
  })
}

type StoredSettings = Omit<LeadSettings, 'lots' | 'reachesAll'> & {
  lots: (Omit<LeadSettings['lots'][number], 'choices'> & { organizationId: string })[]
}

async function readSettings(
  db: Database,
  { customerId, reach }: Pick<Member, 'customerId' | 'reach'>,
): Promise<LeadSettings> {
  const { rows } = await sql<StoredSettings>`
    select coalesce(s.response_minutes, ${DEFAULT_RESPONSE_MINUTES}) as response_minutes,
      case when s.customer_id is null then ${DEFAULT_ACCEPT_MINUTES} else s.accept_minutes end as accept_minutes, s.keep_months,
      coalesce(s.quarantine_days, ${DEFAULT_QUARANTINE_DAYS}) as quarantine_days,
      s.unfinished_minutes, s.reply_address, coalesce(s.version, 1) as version, ${instant(sql`s.updated_at`)} as updated_at, s.updated_by,
      (select coalesce(json_agg(json_build_object('lotId', l.id::text, 'organizationId', l.organization_id::text, 'lotName', l.name,
          'responseMinutes', ls.response_minutes, 'managerId', ls.manager_id::text,
          'vendorNames', coalesce(ls.vendor_names, '{}'), 'dealerCodes', coalesce(ls.dealer_codes, '{}'),
          'postalCodes', coalesce(ls.postal_codes, '{}'), 'returnsToPerson', coalesce(ls.returns_to_person, true),
          'managerName', nullif(concat_ws(' ', u.first_name, u.last_name), '')) order by l.name, l.id), '[]')
        from lots l left join lot_lead_settings ls on ls.customer_id = l.customer_id and ls.lot_id = l.id
        left join users u on u.customer_id = ls.customer_id and u.id = ls.manager_id where l.customer_id = c.id) as lots
    from customers c left join lead_settings s on s.customer_id = c.id where c.id = ${customerId}`.execute(db)
  const [stored] = rows
  if (stored === undefined) throw new Error('The settings returned no row.')
  const choices = new Map<string, { id: string; name: string }[]>()
  for (const organizationId of new Set(stored.lots.map((lot) => lot.organizationId))) {
    // oxlint-disable-next-line no-await-in-loop -- One connection, and few organizations.
    const able = await readAssignees(db, organizationId)
    choices.set(
      organizationId,
      able.map(({ id, name }) => ({ id, name })),
    )
  }
  const lots = stored.lots.map((lot) => ({ ...lot, choices: choices.get(lot.organizationId) ?? [] }))
  return LeadSettings.parse({ ...stored, lots, reachesAll: reach === 'customer' })
}
