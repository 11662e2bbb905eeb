import { sql } from 'kysely'
import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import type { Instrument, instruments } from '#contract/carbon/activity/instruments.ts'
import { readUnit, type Unit } from '#contract/carbon/factors/unit-table.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import { requireSeen } from '#server/http/require-seen.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { readConsumption } from '#server/carbon/calculation/calculate.ts'
import { readUnitTable } from '#server/carbon/factors/measures.ts'
import { lockOpenInventoryRow } from '#server/carbon/staleness/lock-inventory-row.ts'
import { findInventory } from '../../inventories/find-inventory.ts'
import { recalculateStale } from '#server/carbon/calculation/recalculate.ts'

const INVALID = 'Some fields are invalid.'

/** Contractual instruments of scope 2: certificates, supplier rates and residual mixes. */
export const instrumentHandlers: Handlers<typeof instruments> = {
  async list({ db, input: { inventoryId } }) {
    await findInventory(db, inventoryId)
    return readInstruments(db, sql`i.inventory_id = ${inventoryId}`)
  },

  save: ({ db, input }) => saveInstrument(db, input),

  async remove({ db, input }) {
    const { inventoryId } = await readInstrument(db, input.id)
    await lockOpenInventoryRow(db, inventoryId)
    await requireSeen(db, input, { table: 'instruments', noun: 'instrument', read: readInstrument })
    await sql`delete from instruments where id = ${input.id}`.execute(db)
    await recalculateStale(db, inventoryId)
    return null
  },
}

type Input = Received<typeof instruments.save>

/**
 * Adds an instrument with its allocations, or replaces one, and recalculates the market-based results.
 * @throws Failure 400 for an invalid allocation, 404, 409 for the inventory, a stale version, or certificates that exceed the
 * use of a source or are entered already.
 */
export async function saveInstrument(db: Database, input: Input): Promise<Instrument> {
  await lockOpenInventoryRow(db, input.inventoryId)
  const checked = await checkInstrument(db, input)
  if (input.kind === 'certificate') {
    await refuseTwice(db, input)
    await checkUse(db, input, checked)
  }
  const unit = checked.code
  const id =
    input.id === undefined
      ? await addInstrument(db, input, unit)
      : await changeInstrument(db, input, unit, input.id)
  await sql`delete from instrument_allocations where instrument_id = ${id}`.execute(db)
  await sql`insert into instrument_allocations (instrument_id, source_id, organization_id, quantity)
    select ${id}::bigint, s.id, s.organization_id, x.quantity
    from jsonb_to_recordset(${JSON.stringify(input.allocations)}::jsonb) as x("sourceId" bigint, quantity numeric)
    join emission_sources s on s.id = x."sourceId"`.execute(db)
  await recalculateStale(db, input.inventoryId)
  return readInstrument(db, id)
}

/** @throws Failure 400 for the unit, for sources of another inventory, or if more is allocated than available. */
async function checkInstrument(
  db: Database,
  { unit: typed, quantity, allocations, inventoryId }: Input,
): Promise<Unit> {
  const unit = readUnit(await readUnitTable(db), typed)
  if ('problem' in unit) throw refused(INVALID, { unit: unit.problem })
  if (unit.unit.dimension !== 'energy') throw refused(INVALID, { unit: 'Enter an energy unit.' })
  const { rows } = await sql<{ id: string }>`select id::text from emission_sources
    where inventory_id = ${inventoryId} and scope = '2' and not closed`.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  const wrong = allocations.findIndex(({ sourceId }) => !known.has(sourceId))
  if (wrong >= 0)
    throw refused(INVALID, {
      [`allocations.${wrong}.sourceId`]: 'Choose a scope 2 source of this inventory.',
    })
  const sum = allocations.reduce((total, one) => total.plus(one.quantity ?? 0), new Figure(0))
  if (quantity !== null && sum.greaterThan(quantity))
    throw refused(INVALID, { allocations: 'More is allocated than the certificates cover.' })
  return unit.unit
}

/**
 * Certificates never exceed what a source uses: more of them would lower the market-based figure of other electricity.
 * @throws Failure 409 with the quantity that is left.
 */
async function checkUse(
  db: Database,
  { id, inventoryId, allocations }: Input,
  { code, toBase }: Unit,
): Promise<void> {
  const sourceIds = allocations.map(({ sourceId }) => sourceId)
  const used = await readConsumption(db, inventoryId, sourceIds)
  const { rows } = await sql<{ sourceId: string; covered: string }>`
    select a.source_id::text, trim_scale(sum(a.quantity * u.to_base))::text as covered from instrument_allocations a
    join instruments i on i.customer_id = a.customer_id and i.id = a.instrument_id and i.kind = 'certificate'
    join library.units u on u.code = i.unit
    where a.source_id = any(${sourceIds}::bigint[]) and i.id is distinct from ${id ?? null}::bigint group by a.source_id`.execute(
    db,
  )
  const covered = new Map(rows.map((row) => [row.sourceId, row.covered]))
  for (const { sourceId, quantity } of allocations) {
    const use = new Figure(used.get(sourceId) ?? 0).div(toBase)
    const left = use.minus(new Figure(covered.get(sourceId) ?? 0).div(toBase))
    if (new Figure(quantity ?? 0).lte(left)) continue
    const rest = showFigure(Figure.max(left, 0), 12)
    throw conflict(
      `The source uses ${showFigure(use, 12)} ${code}, of which ${rest} ${code} ${left.equals(1) ? 'is' : 'are'} not covered by certificates yet. Certificates can't cover more than is used.`,
    )
  }
}

/** The serial numbers of a note: its words, and the first and last number of a range such as "1 to 600". */
function serialsOf(note: string): { words: string; first: bigint | null; last: bigint | null } {
  const plain = note.toLowerCase().replaceAll(/\s+/g, ' ').trim()
  const range = /(\d{1,18})\s*(?:-|–|to|until|through|\.\.)\s*(\d{1,18})/.exec(plain)
  if (range === null) return { words: plain, first: null, last: null }
  return { words: plain.replace(range[0], ''), first: BigInt(range[1] ?? 0), last: BigInt(range[2] ?? 0) }
}

function haveSameSerials(one: string, other: string): boolean {
  const [mine, theirs] = [serialsOf(one), serialsOf(other)]
  if (mine.words !== theirs.words) return false
  if (mine.first === null || mine.last === null || theirs.first === null || theirs.last === null)
    return mine.first === theirs.first
  return mine.first <= theirs.last && mine.last >= theirs.first
}

/**
 * A certificate counts once for a customer. A restatement has those of the inventory that it restates.
 * @throws Failure 409 with the certificates that have the same serial numbers.
 */
async function refuseTwice(db: Database, { id, inventoryId, sourceNote }: Input): Promise<void> {
  const { rows } = await sql<{ name: string; inventory: string; sourceNote: string }>`
    with recursive kin(id) as (select ${inventoryId}::bigint union
      select case when i.id = k.id then i.restates_id else i.id end from carbon_inventories i
      join kin k on i.id = k.id or i.restates_id = k.id where i.restates_id is not null)
    select n.name, c.name as inventory, n.source_note from instruments n
    join carbon_inventories c on c.customer_id = n.customer_id and c.id = n.inventory_id
    where n.kind = 'certificate' and n.id is distinct from ${id ?? null}::bigint
      and (n.inventory_id = ${inventoryId} or n.inventory_id not in (select k.id from kin k)) order by n.id`.execute(
    db,
  )
  const same = rows.find((row) => haveSameSerials(row.sourceNote, sourceNote))
  if (same !== undefined)
    throw conflict(
      `Certificates with these serial numbers are already entered: ${same.name} in ${same.inventory}. Each certificate counts once. If these are others, enter their serial numbers.`,
    )
}

async function addInstrument(db: Database, input: Input, unit: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into instruments (organization_id, inventory_id, kind, name, quantity, unit, kg_co2e, source_note)
    select organization_id, id, ${input.kind}, ${input.name}, ${input.quantity}::numeric, ${unit}, ${input.kgCo2e}::numeric,
      ${input.sourceNote} from carbon_inventories where id = ${input.inventoryId} returning id::text`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

/** @throws Failure 404, or 409 with the current instrument. */
async function changeInstrument(db: Database, input: Input, unit: string, id: string): Promise<string> {
  const { rows } = await sql`
    update instruments set kind = ${input.kind}, name = ${input.name}, quantity = ${input.quantity}::numeric, unit = ${unit},
      kg_co2e = ${input.kgCo2e}::numeric, source_note = ${input.sourceNote}
    where id = ${id} and inventory_id = ${input.inventoryId}
      and version = coalesce(${input.version ?? null}::integer, version) returning id`.execute(db)
  if (rows.length === 0) throw stale('This instrument', await readInstrument(db, id))
  return id
}

async function readInstrument(db: Database, id: string): Promise<Instrument> {
  const [found] = await readInstruments(db, sql`i.id = ${id}`)
  if (found === undefined) throw notFound('Instrument')
  return found
}

async function readInstruments(db: Database, condition: ReturnType<typeof sql>): Promise<Instrument[]> {
  const { rows } = await sql<Instrument>`
    select i.id::text, i.inventory_id::text, i.kind, i.name, trim_scale(i.quantity)::text as quantity, i.unit,
      trim_scale(i.kg_co2e)::text as kg_co2e, i.source_note, i.version, ${instant(sql`i.updated_at`)} as updated_at, i.updated_by,
      coalesce((select json_agg(json_build_object('sourceId', a.source_id::text, 'quantity', trim_scale(a.quantity)::text)
        order by a.source_id) from instrument_allocations a
        where a.customer_id = i.customer_id and a.instrument_id = i.id), '[]') as allocations
    from instruments i where ${condition} order by i.id`.execute(db)
  return rows
}
