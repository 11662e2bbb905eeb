import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { type facilities, type Facility } from '#contract/organizations/facilities/facilities.ts'
import {
  findMismatches,
  type Level,
  mayStandIn,
  MAX_FACILITIES,
} from '#contract/organizations/facilities/facility-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { brokenKey, isViolation } from '#server/database/violations.ts'
import { conflict, refused } from '#server/http/failure.ts'
import { readFacility } from './facility-rows.ts'

type New = Received<typeof facilities.add> & { organizationId: string }
type Change = Omit<Received<typeof facilities.update>, 'id' | 'version'>
type FacilityInput = Pick<Change, 'parentId' | 'lotId'> & { organizationId: string; level: Level }

/**
 * Adds a facility with its rows of ownership and control, inside the transaction's tenant.
 * @throws Failure 409 for a code or a lot that another one has, 400 for what does not fit together.
 */
export async function addFacility(db: Database, { control, ...facility }: New): Promise<Facility> {
  refuseMismatches({ ...facility, control })
  const parentLevel = await levelAbove(db, facility)
  await assertLotExists(db, facility)
  const { count } = await db
    .selectFrom('facilities')
    .where('organizationId', '=', facility.organizationId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  if (count >= MAX_FACILITIES) {
    throw conflict(`An organization may have at most ${MAX_FACILITIES.toLocaleString('en')} facilities.`)
  }
  const { id } = await explainRefusal(
    db
      .insertInto('facilities')
      .values({ ...facility, parentLevel })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await writeControl(db, { id, organizationId: facility.organizationId }, control)
  return readFacility(db, id)
}

/** Changes what was sent of a facility that is held already. @throws as `addFacility` */
export async function changeFacility(db: Database, current: Facility, change: Change): Promise<Facility> {
  const { control, ...columns } = change
  const { id, organizationId } = current
  const level = columns.level ?? current.level
  const wanted = { ...current, ...columns, level, control: control ?? current.control }
  refuseMismatches(wanted)
  const parentLevel = await levelAbove(db, wanted)
  if (columns.lotId !== undefined && columns.lotId !== current.lotId) await assertLotExists(db, wanted)
  await explainRefusal(
    db
      .updateTable('facilities')
      // Touched even where only its rows of control are others: they are a part of it.
      .set({ ...columns, parentLevel, updatedAt: sql`app_now()` })
      .where('id', '=', id)
      .execute(),
  )
  if (control) await writeControl(db, { id, organizationId }, control)
  return readFacility(db, id)
}

function refuseMismatches(facility: Parameters<typeof findMismatches>[0]): void {
  const fields = findMismatches(facility)
  if (Object.keys(fields).length > 0) throw refused('Some fields are not right.', fields)
}

/** The level of what it is to stand in. The foreign key keeps it true from then on. */
async function levelAbove(
  db: Database,
  { parentId, level, organizationId }: Pick<FacilityInput, 'parentId' | 'level' | 'organizationId'>,
): Promise<Level | null> {
  if (!parentId) return null
  const above = await db
    .selectFrom('facilities')
    .select(['level', 'name'])
    .where('id', '=', parentId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (above === undefined) throw wrongParent('Choose a facility of this organization.')
  if (!mayStandIn(level, above.level)) {
    throw wrongParent(`A ${level} cannot stand in ${above.name}, which is a ${above.level}.`)
  }
  return above.level
}

const wrongParent = (sentence: string) => refused('Some fields are not right.', { parentId: sentence })

async function assertLotExists(
  db: Database,
  { lotId, organizationId }: Pick<FacilityInput, 'lotId' | 'organizationId'>,
): Promise<void> {
  if (!lotId) return
  const lot = await db
    .selectFrom('lots')
    .select('id')
    .where('id', '=', lotId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (lot === undefined) {
    throw refused('Some fields are not right.', { lotId: 'Choose a lot of this organization.' })
  }
}

/** Makes the rows those that are wanted; a row that stays as it is leaves no entry in the audit log. */
async function writeControl(
  db: Database,
  { id, organizationId }: { id: string; organizationId: string },
  control: Received<typeof facilities.add>['control'],
): Promise<void> {
  await db
    .deleteFrom('facilityControl')
    .where('facilityId', '=', id)
    .where(
      'validFrom',
      'not in',
      control.map(({ validFrom }) => validFrom),
    )
    .execute()
  await db
    .insertInto('facilityControl')
    .values(control.map((row) => ({ ...row, facilityId: id, organizationId })))
    .onConflict((on) =>
      on.columns(['customerId', 'facilityId', 'validFrom']).doUpdateSet((eb) => ({
        ownership: eb.ref('excluded.ownership'),
        operationalControl: eb.ref('excluded.operationalControl'),
        financialControl: eb.ref('excluded.financialControl'),
      })),
    )
    .execute()
}

/** What the database's own rules refuse, in the words of the form. */
async function explainRefusal<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    const key = brokenKey(error)
    if (key?.includes('lot_id')) {
      throw conflict('Another facility is linked to this lot.', { lotId: 'This lot has a facility already.' })
    }
    if (key !== null) {
      throw conflict('Another facility already has this code.', { code: 'This code is already in use.' })
    }
    if (isViolation(error, 'check')) {
      throw refused('Some fields are not right.', {
        level: 'Facilities stand below it that may not stand in this level. Move them first.',
      })
    }
    if (isViolation(error, 'foreign key')) {
      throw conflict('The facility above it, or its lot, was changed meanwhile. Try again.')
    }
    throw error
  }
}
