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
      .select(['responseMinutes', 'managerId'])
      .where('lotId', '=', lotId)
      .executeTakeFirst()
    if (known !== undefined && known.managerId !== (stored?.managerId ?? null))
      throw stale('The manager of this lot', await readSettings(db, actor))
    const { responseMinutes = stored?.responseMinutes ?? null, managerId = stored?.managerId ?? null } =
      changes
    if (managerId !== null && !(await readAssignees(db, organizationId)).some(({ id }) => id === managerId))
      throw refused('Some fields are invalid.', { managerId: 'Choose someone who can work on these leads.' })
    await db
      .insertInto('lotLeadSettings')
      .values({ lotId, organizationId, responseMinutes, managerId })
      .onConflict((on) =>
        on.columns(['customerId', 'lotId']).doUpdateSet({ organizationId, responseMinutes, managerId }),
      )
      .execute()
    return readSettings(db, actor)
  },
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
