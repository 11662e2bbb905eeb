import { sql } from 'kysely'
import type { z } from 'zod'
import { LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import { ASKED_CONDITIONS, AskedVehicle, type leads, TradeIn } from '#contract/leads/inbox/leads.ts'
import { labelOf } from '#contract/record.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { NewLeadEvent } from '../events/lead-events.ts'
import type { LockedLead } from './lock-lead.ts'
import { withVin } from './vin-of-lead.ts'
import { requireVehicle } from './require-vehicle.ts'

type Changes = Omit<z.output<typeof leads.update.input>, 'id' | 'version'>

/**
 * Changes what a lead is about. What the buyer asked for stays in its document. Without a vehicle in stock, its title is that of
 * the buyer's words again. @returns the entry of the timeline. @throws Failure 400
 */
export async function changeSubject(
  db: Database,
  lead: LockedLead,
  { type, vehicleId, condition, tradeIn }: Changes,
): Promise<NewLeadEvent> {
  await requireVehicle(db, { vehicleId: vehicleId ?? null, organizationId: lead.organizationId })
  const before = await readSubject(db, lead.id)
  const kept = before.tradeIn?.comments ?? null
  const isNone = tradeIn == null || Object.values(tradeIn).every((value) => value == null)
  const nextTradeIn = isNone && kept === null ? null : withVin({ ...tradeIn, comments: kept })
  await db
    .updateTable('leads')
    .set({
      version: sql`version`,
      ...(type !== undefined && { type }),
      ...(vehicleId !== undefined &&
        vehicleId !== before.vehicleId && {
          vehicleId,
          vehicleTitle: vehicleId === null ? wordsOf(before.askedVehicle) : titleOfVehicle(vehicleId),
          vehiclePriceCents: null,
        }),
      ...(condition !== undefined && {
        askedVehicle: JSON.stringify({ ...before.askedVehicle, condition }),
      }),
      ...(tradeIn !== undefined && { tradeIn: nextTradeIn === null ? null : JSON.stringify(nextTradeIn) }),
    })
    .where('id', '=', lead.id)
    .execute()
  const after = await readSubject(db, lead.id)
  const text = changedText(before, after)
  return {
    kind: 'changed',
    data: {
      ...(type !== undefined && { type }),
      ...(vehicleId != null && { vehicleId }),
      ...(text !== '' && { text }),
    },
  }
}

type Subject = {
  type: string
  vehicleId: string | null
  vehicleTitle: string | null
  askedVehicle: AskedVehicle
  tradeIn: TradeIn | null
}

async function readSubject(db: Database, id: string): Promise<Subject> {
  const { rows } = await sql<
    Omit<Subject, 'askedVehicle' | 'tradeIn'> & Record<'askedVehicle' | 'tradeIn', unknown>
  >`
    select type, vehicle_id::text, vehicle_title, asked_vehicle, trade_in from leads where id = ${id}`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('The lead that is changed does not exist.')
  return {
    ...row,
    askedVehicle: AskedVehicle.parse(row.askedVehicle),
    tradeIn: TradeIn.nullable().parse(row.tradeIn),
  }
}

const wordsOf = ({ year, make, model, trim }: AskedVehicle | TradeIn): string | null =>
  [year, make, model, trim].filter((word) => word != null && word !== '').join(' ') || null

const titleOfVehicle = (id: string) => sql<string>`(select concat_ws(', ',
  nullif(concat_ws(' ', v.year, v.make, v.model, v.trim), ''), v.stock) from vehicles v where v.id = ${id})`

/** "Type: New vehicle, now Used vehicle." */
function changedText(before: Subject, after: Subject): string {
  const condition = ({ askedVehicle }: Subject) =>
    ASKED_CONDITIONS.find(({ value }) => value === askedVehicle.condition)?.label ?? null
  const parts: [string, string | null, string | null][] = [
    ['Type', labelOf(LEAD_TYPES, before.type), labelOf(LEAD_TYPES, after.type)],
    ['Vehicle', before.vehicleTitle, after.vehicleTitle],
    ['Condition asked for', condition(before), condition(after)],
    ['Trade-in', tradeText(before.tradeIn), tradeText(after.tradeIn)],
  ]
  return parts
    .filter(([, one, other]) => one !== other)
    .map(([label, one, other]) => `${label}: ${one ?? 'none'}, now ${other ?? 'none'}.`)
    .join(' ')
}

function tradeText(tradeIn: TradeIn | null): string | null {
  if (tradeIn === null) return null
  const { mileage, condition, vin } = tradeIn
  const parts = [wordsOf(tradeIn), mileage?.toLocaleString('en'), condition, vin]
  return parts.filter((part) => part != null && part !== '').join(', ') || 'a vehicle'
}
